// What is put into composers from elsewhere: a quotation, a message that was taken back or could not be sent. It belongs to
// the draft of its own conversation, whichever is open, and nothing that is written there already is overwritten.
import type { Attachment } from './attachments';
import { readDraft, writeDraft } from './drafts';
import { readFiles, writeFiles } from './unsent';

export interface Given {
  text?: string;
  files?: readonly Attachment[];
  /** It was written before what is there, and comes before it. */
  first?: boolean;
}

/** The draft of a conversation; of a new one with an agent where there is none yet. */
export const draftOf = (conversation: string, agent: string): string => conversation || `new:${agent}`;

/** What is added, beside what is there. */
export function joined(there: string, { text = '', first }: Given): string {
  if (text === '' || there.trim() === '') return text || there;
  return first ? `${text.trimEnd()}\n\n${there}` : `${there.trimEnd()}\n\n${text}`;
}
export const joinedFiles = (there: readonly Attachment[], { files = [], first }: Given): Attachment[] =>
  first ? [...files, ...there] : [...there, ...files];

const composers = new Map<string, (given: Given) => void>();

/** Gives a composer what is put into its draft as long as it is open. */
export function receive(draft: string, take: (given: Given) => void): () => void {
  composers.set(draft, take);
  return () => {
    if (composers.get(draft) === take) composers.delete(draft);
  };
}

/** Puts something into a draft, by its composer where that is open. */
export async function give(draft: string, given: Given): Promise<void> {
  const take = composers.get(draft);
  if (take) return take(given);
  writeDraft(draft, joined(readDraft(draft), given));
  if (given.files?.length) await writeFiles(draft, joinedFiles(await readFiles(draft), given));
}
