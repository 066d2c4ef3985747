// What a compaction's record tells, for the page.
import type { Compaction, CompactionEntry } from './api.gen';

/** Tokens that it freed. */
export const saved = ({ tokens_before, tokens_after }: Compaction): number => Math.max(0, tokens_before - tokens_after);

/** Whether an entry is out of core memory. */
export const hasLeft = ({ action }: CompactionEntry): boolean => action === 'archived' || action === 'linked';

/** How many messages or entries are out by it. */
export const countOf = ({ kind, evicted = [], entries = [] }: Compaction): number =>
  kind === 'transcript' ? evicted.length : entries.filter(hasLeft).length;

/** Why nothing is out by it: it failed, or goes on still; undefined where a number is to be told. */
export function nothingOf(one: Compaction): 'unchanged' | 'notYet' | undefined {
  if (countOf(one) > 0) return undefined;
  return one.state === 'failed' ? 'unchanged' : one.state === 'pending' ? 'notYet' : undefined;
}

export interface Section {
  title: string;
  lines: string[];
}

/** A summary as its headings and their lines; what stands under none comes first, without a title. */
export function sections(summary: string): Section[] {
  const found: Section[] = [{ title: '', lines: [] }];
  for (const line of summary.split('\n')) {
    const text = line.trim();
    const heading = /^(?!-)(.+)[:：]$/.exec(text);
    if (heading) found.push({ title: heading[1] ?? '', lines: [] });
    else if (text !== '') found.at(-1)?.lines.push(text.replace(/^- /, ''));
  }
  return found.filter(({ title, lines }) => title !== '' || lines.length > 0);
}

export interface Piece {
  text: string;
  lost: boolean;
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** A text cut at the words that a summary lost. */
export function marked(text: string, lost: readonly string[]): Piece[] {
  const words = lost.filter((word) => word !== '').sort((a, b) => b.length - a.length);
  if (words.length === 0) return [{ text, lost: false }];
  const pieces = text.split(new RegExp(`(${words.map(escaped).join('|')})`));
  return pieces.map((piece, i) => ({ text: piece, lost: i % 2 === 1 })).filter((piece) => piece.text !== '');
}

export interface EntryBlock {
  id: string;
  label: string;
  entries: { entry: CompactionEntry; number: number }[];
}

/** The entries by block, each with its number in the compaction. Empty lines and what holds the others are left out. */
export function byBlock(entries: readonly CompactionEntry[]): EntryBlock[] {
  const blocks: EntryBlock[] = [];
  for (const [number, entry] of entries.entries()) {
    if (entry.text.trim() === '') continue;
    let block = blocks.find(({ id }) => id === entry.block_id);
    if (!block) blocks.push((block = { id: entry.block_id, label: entry.label, entries: [] }));
    block.entries.push({ entry, number });
  }
  return blocks;
}
