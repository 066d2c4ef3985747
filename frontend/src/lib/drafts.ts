// Unsent text, kept per conversation: in memory always, on disk as long as it is not huge.
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
