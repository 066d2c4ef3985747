// A branch of messages as it is shown: what the user wrote, and answers, each one gathering the steps of its turn.
import type { Message } from './api.gen';

export interface UserEntry {
  kind: 'user';
  id: string;
  message: Message;
}

/** One answer: the model's messages of a turn with the results of the tools they used. */
export interface AnswerEntry {
  kind: 'answer';
  id: string;
  steps: Message[];
  /** The results of tools, by the id of the call they answer. */
  results: Map<string, Message>;
  last: Message;
}

export type Entry = UserEntry | AnswerEntry;

export function entries(messages: Message[]): Entry[] {
  const list: Entry[] = [];
  for (const message of messages) {
    if (message.role === 'user') {
      list.push({ kind: 'user', id: message.id, message });
      continue;
    }
    let answer = list.at(-1);
    if (answer?.kind !== 'answer') {
      answer = { kind: 'answer', id: message.id, steps: [], results: new Map(), last: message };
      list.push(answer);
    }
    if (message.role === 'tool') {
      answer.results.set(message.tool_call_id || message.id, message);
    } else {
      answer.steps.push(message);
      answer.last = message;
    }
  }
  return list;
}

/** The message at the end that has no answer, for one, since the app ended before its turn began; '' where there is none. */
export function withoutAnswer(list: Entry[]): string {
  const end = list.at(-1);
  return end?.kind === 'user' ? end.id : '';
}

/** Where the window begins: the index of the first entry inside it, 0 when everything is inside. */
export function windowStart(list: Entry[], first: string): number {
  if (first === '') return 0;
  const at = list.findIndex((entry) => (entry.kind === 'user' ? entry.id === first : hasMessage(entry, first)));
  return Math.max(0, at);
}

/** What thinking took, where the engine told: its time, and of the tokens a share by length, exact where there is nothing else. */
export function thought(step: Message): { ms: number; tokens: number; exact: boolean } | undefined {
  const { thinking = '', content, tool_calls: calls = [], usage } = step;
  if (!usage?.thinking_ms) return undefined;
  const other = calls.reduce((sum, { name, arguments: given }) => sum + name.length + given.length, content.length);
  const tokens = Math.round((usage.output_tokens * thinking.length) / Math.max(1, thinking.length + other));
  return { ms: usage.thinking_ms, tokens, exact: other === 0 };
}

/** The messages that an answer is made of. */
export const messagesOf = (answer: AnswerEntry): string[] => [
  ...answer.steps.map((step) => step.id),
  ...[...answer.results.values()].map((result) => result.id),
];

const hasMessage = (answer: AnswerEntry, message: string): boolean => messagesOf(answer).includes(message);

/** The entry that shows a message. */
export const entryOf = (list: Entry[], message: string): Entry | undefined =>
  list.find((entry) => entry.id === message || (entry.kind === 'answer' && hasMessage(entry, message)));

/** What an answer says, as Markdown. */
export const markdownOf = (answer: AnswerEntry): string =>
  answer.steps
    .map((step) => step.content)
    .filter(Boolean)
    .join('\n\n');
