// Unsent text, kept per conversation, and what is written elsewhere: in memory always, on disk as long as it is not huge.
const PREFIX = 'draft:';
const MAX_STORED = 200_000;

const memory = new Map<string, string>();

export function readDraft(conversation: string): string {
  return memory.get(conversation) ?? stored(conversation);
}

function stored(conversation: string): string {
  try {
    return localStorage.getItem(PREFIX + conversation) ?? '';
  } catch {
    return ''; // storage is forbidden or full: the draft lives in memory
  }
}

export function writeDraft(conversation: string, text: string): void {
  memory.set(conversation, text);
  try {
    if (text === '' || text.length > MAX_STORED) localStorage.removeItem(PREFIX + conversation);
    else localStorage.setItem(PREFIX + conversation, text);
  } catch {
    // as above
  }
}

/** A draft that is more than its text; undefined where there is none. */
export function readParts<T>(name: string): T | undefined {
  const draft = readDraft(name);
  return draft === '' ? undefined : (JSON.parse(draft) as T);
}

export function writeParts(name: string, parts: object | undefined): void {
  writeDraft(name, parts ? JSON.stringify(parts) : '');
}
