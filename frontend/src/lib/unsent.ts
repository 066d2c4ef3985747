// Files of messages that are not sent yet, kept per conversation: in memory always, in this page's own storage as long as
// they are not huge. Their words are in `drafts`.
import type { Attachment } from './attachments';

const DATABASE = 'unsent';
const FILES = 'files';
/** Characters of base64 that one draft keeps: twice what one message can carry. */
const MAX_STORED = 24_000_000;
/** Drafts that are kept; of more, those that were changed last. */
const MAX_DRAFTS = 20;

interface Kept {
  conversation: string;
  at: number;
  files: Attachment[];
}

const memory = new Map<string, Attachment[]>();

const done = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('the storage failed')));
  });

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, 1);
  request.addEventListener('upgradeneeded', () =>
    request.result.createObjectStore(FILES, { keyPath: 'conversation' }).createIndex('at', 'at'),
  );
  return done(request);
}

let opened: Promise<IDBDatabase> | undefined;

/** Does something with what is stored; undefined where storage is forbidden or full: the files live in memory then. */
async function stored<T>(use: (kept: IDBObjectStore) => Promise<T>): Promise<T | undefined> {
  try {
    opened ??= open();
    return await use((await opened).transaction(FILES, 'readwrite').objectStore(FILES));
  } catch {
    opened = undefined;
    return undefined;
  }
}

export async function readFiles(conversation: string): Promise<Attachment[]> {
  const known = memory.get(conversation);
  if (known) return known;
  const kept = await stored((all) => done<Kept | undefined>(all.get(conversation)));
  return kept?.files ?? [];
}

export async function writeFiles(conversation: string, files: Attachment[]): Promise<void> {
  memory.set(conversation, files);
  const size = files.reduce((sum, { base64, bytes }) => sum + Math.max(base64.length, bytes), 0);
  await stored(async (all) => {
    if (files.length === 0 || size > MAX_STORED) return done(all.delete(conversation));
    await done(all.put({ conversation, at: Date.now(), files } satisfies Kept));
    const oldestFirst = await done(all.index('at').getAllKeys());
    for (const key of oldestFirst.slice(0, -MAX_DRAFTS)) all.delete(key);
  });
}

/** Forgets them all. */
export async function clearFiles(): Promise<void> {
  memory.clear();
  await stored((all) => done(all.clear()));
}
