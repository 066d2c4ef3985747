// A conversation as a file of the user's own: what was said, as Markdown to read, or all of it as JSON.
import type { Conversation, Message, Messages } from './api.gen';
import { http } from './http';

const PAGE = 500;

/** All messages of the visible branch. */
export async function allMessages(conversation: string): Promise<Message[]> {
  const pages: Message[][] = [];
  for (let before = ''; ;) {
    const page = await http.get<Messages>(
      `/conversations/${conversation}/messages?limit=${PAGE}${before ? `&before=${before}` : ''}`,
    );
    pages.unshift(page.messages);
    before = page.messages[0]?.id ?? '';
    if (!page.more || before === '') return pages.flat();
  }
}

export interface Names {
  user: string;
  agent: string;
  /** Who answers where no model was asked. */
  app: string;
  /** Writes a date. */
  date: (date: string) => string;
}

export function asMarkdown({ title }: Conversation, messages: Message[], names: Names): string {
  const parts = [`# ${title}`];
  let speaker = '';
  for (const { role, content, created_at, files, end, speaker: own } of messages) {
    if (role === 'tool' || (content === '' && !files?.length)) continue;
    const who = own || (role === 'user' ? names.user : end === 'rule' ? names.app : names.agent);
    if (who !== speaker || role === 'user') parts.push(`## ${who}, ${names.date(created_at)}`);
    speaker = who;
    parts.push(content, ...(files ?? []).map((file) => `📎 ${file.name}`));
  }
  return `${parts.filter(Boolean).join('\n\n')}\n`;
}

export const asJson = (conversation: Conversation, messages: Message[]): string =>
  `${JSON.stringify({ conversation, messages }, null, 2)}\n`;

/** A name that every system can give to a file. */
export const fileName = (title: string, ending: string): string =>
  `${
    title
      .replace(/[\\/:*?"<>|\p{Cc}]+/gu, ' ')
      .trim()
      .slice(0, 80) || 'conversation'
  }.${ending}`;

/** Text as a quotation, with room below it for what one says to it. */
export const quoted = (text: string): string =>
  `${text
    .trim()
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n')}\n\n`;
