// Differences between two texts, word by word; Chinese, Japanese and Korean character by character.

export interface Piece {
  kind: 'same' | 'added' | 'removed';
  text: string;
}

const WORDS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]|[\p{L}\p{N}\p{M}_]+|\s+|./gsu;

/** Above this many edits a finer answer would take too long and help nobody: the rest shows as replaced. */
const MAX_EDITS = 1000;

/** The pieces that turn `before` into `after`, in reading order, removed before added. */
export function diffWords(before: string, after: string): Piece[] {
  return diffTokens(before.match(WORDS) ?? [], after.match(WORDS) ?? []);
}

function diffTokens(a: string[], b: string[]): Piece[] {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const middle = myers(a.slice(start, a.length - end), b.slice(start, b.length - end));
  return tidy([
    { kind: 'same', text: a.slice(0, start).join('') },
    ...middle,
    { kind: 'same', text: a.slice(a.length - end).join('') },
  ]);
}

/** Myers' greedy algorithm: the shortest edit script, found along ever more edits. */
function myers(a: string[], b: string[]): Piece[] {
  const whole: Piece[] = [
    { kind: 'removed', text: a.join('') },
    { kind: 'added', text: b.join('') },
  ];
  if (a.length === 0 || b.length === 0) return whole;
  const max = Math.min(a.length + b.length, MAX_EDITS);
  const size = 2 * max + 1;
  let reach = new Int32Array(size + 2);
  const trace: Int32Array[] = [];
  for (let edits = 0; edits <= max; edits++) {
    trace.push(reach.slice());
    for (let k = -edits; k <= edits; k += 2) {
      const down = k === -edits || (k !== edits && at(reach, max, k - 1) < at(reach, max, k + 1));
      let x = down ? at(reach, max, k + 1) : at(reach, max, k - 1) + 1;
      let y = x - k;
      while (x < a.length && y < b.length && a[x] === b[y]) {
        x++;
        y++;
      }
      reach[k + max + 1] = x;
      if (x >= a.length && y >= b.length) return walkBack(a, b, trace, max);
    }
    reach = reach.slice();
  }
  return whole;
}

function at(reach: Int32Array, max: number, k: number): number {
  return reach[k + max + 1] ?? 0;
}

function walkBack(a: string[], b: string[], trace: Int32Array[], max: number): Piece[] {
  const pieces: Piece[] = [];
  let x = a.length;
  let y = b.length;
  for (let edits = trace.length - 1; edits >= 0; edits--) {
    const reach = trace[edits] as Int32Array;
    const k = x - y;
    const down = k === -edits || (k !== edits && at(reach, max, k - 1) < at(reach, max, k + 1));
    const fromX = edits === 0 ? 0 : at(reach, max, down ? k + 1 : k - 1);
    const fromY = edits === 0 ? 0 : fromX - (down ? k + 1 : k - 1);
    while (x > fromX && y > fromY && (edits === 0 || x > (down ? fromX : fromX + 1))) {
      pieces.push({ kind: 'same', text: a[x - 1] as string });
      x--;
      y--;
    }
    if (edits === 0) break;
    if (down) pieces.push({ kind: 'added', text: b[--y] as string });
    else pieces.push({ kind: 'removed', text: a[--x] as string });
  }
  return pieces.reverse();
}

/** Joins neighbours of one kind, puts removed before added, and swallows a lone space between two changes. */
function tidy(pieces: Piece[]): Piece[] {
  const result: Piece[] = [];
  let removed = '';
  let added = '';
  const flush = () => {
    if (removed) result.push({ kind: 'removed', text: removed });
    if (added) result.push({ kind: 'added', text: added });
    removed = added = '';
  };
  pieces.forEach((piece, i) => {
    if (piece.text === '') return;
    const next = pieces.slice(i + 1).find((p) => p.text !== '');
    const blank = piece.kind === 'same' && /^[^\S\n]+$/.test(piece.text);
    if (piece.kind === 'removed') removed += piece.text;
    else if (piece.kind === 'added') added += piece.text;
    else if (blank && removed && added && next && next.kind !== 'same') {
      removed += piece.text;
      added += piece.text;
    } else {
      flush();
      const last = result.at(-1);
      if (last?.kind === 'same') last.text += piece.text;
      else result.push({ kind: 'same', text: piece.text });
    }
  });
  flush();
  return result;
}

/** The difference cut into lines; only lines that changed, each with its unchanged words around. */
export function changedLines(before: string, after: string): Piece[][] {
  const lines: Piece[][] = [[]];
  for (const piece of diffWords(before, after)) {
    piece.text.split('\n').forEach((part, i) => {
      if (i > 0) lines.push([]);
      if (part !== '') lines.at(-1)?.push({ kind: piece.kind, text: part });
    });
  }
  return lines.filter((line) => line.some((piece) => piece.kind !== 'same' && piece.text.trim() !== ''));
}

interface Hunk {
  start: number;
  end: number;
  lines: string[];
}

function hunks(base: string[], other: string[]): Hunk[] {
  const result: Hunk[] = [];
  let at = 0;
  let open: Hunk | undefined;
  for (const piece of lineEdits(base, other)) {
    if (piece.kind === 'same') {
      open = undefined;
      at++;
      continue;
    }
    if (!open) {
      open = { start: at, end: at, lines: [] };
      result.push(open);
    }
    if (piece.kind === 'removed') open.end = ++at;
    else open.lines.push(piece.text);
  }
  return result;
}

function lineEdits(a: string[], b: string[]): Piece[] {
  // Blocks are short: the plain table is clear and fast enough (2,000 characters, some tens of lines).
  const rows = a.length + 1;
  const cols = b.length + 1;
  const table = new Uint32Array(rows * cols);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const value =
        a[i] === b[j]
          ? (table[(i + 1) * cols + j + 1] ?? 0) + 1
          : Math.max(table[(i + 1) * cols + j] ?? 0, table[i * cols + j + 1] ?? 0);
      table[i * cols + j] = value;
    }
  }
  const pieces: Piece[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      pieces.push({ kind: 'same', text: a[i] as string });
      i++;
      j++;
    } else if (i < a.length && (j >= b.length || (table[(i + 1) * cols + j] ?? 0) >= (table[i * cols + j + 1] ?? 0))) {
      pieces.push({ kind: 'removed', text: a[i++] as string });
    } else {
      pieces.push({ kind: 'added', text: b[j++] as string });
    }
  }
  return pieces;
}

/** Both changes to `base` together, line by line; undefined where they touch the same lines. */
export function mergeTexts(base: string, mine: string, theirs: string): string | undefined {
  const lines = base.split('\n');
  const ours = hunks(lines, mine.split('\n'));
  const others = hunks(lines, theirs.split('\n'));
  const clash = ours.some((a) =>
    others.some(
      (b) => (a.start < b.end && b.start < a.end) || (a.start === b.start && a.end !== a.start && b.end !== b.start),
    ),
  );
  if (clash) return undefined;
  // From the end, so that earlier line numbers stay right; at one place theirs comes first.
  const all = [...others.map((h) => ({ h, order: 0 })), ...ours.map((h) => ({ h, order: 1 }))];
  all.sort((a, b) => b.h.start - a.h.start || b.h.end - a.h.end || b.order - a.order);
  for (const { h } of all) lines.splice(h.start, h.end - h.start, ...h.lines);
  return lines.join('\n');
}
