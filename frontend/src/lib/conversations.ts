// The list of conversations: its order, its groups by time, and which part of it is in view. Ten thousand of them are
// only ever drawn by the screenful.
import type { Conversation } from './api.gen';
import { compareTimes } from './format';

/** Pinned ones first, then the last used. */
function compare(a: Conversation, b: Conversation): number {
  if (a.pinned !== b.pinned) return a.pinned ? -1 : 1;
  return compareTimes(b.updated_at, a.updated_at) || (a.id < b.id ? 1 : -1);
}

/** The list with what has been fetched, each conversation once and in its place. */
export function putConversations(list: readonly Conversation[], fetched: readonly Conversation[]): Conversation[] {
  const ids = new Set(fetched.map((c) => c.id));
  return [...list.filter((c) => !ids.has(c.id)), ...fetched].sort(compare);
}

export type Shelf = 'active' | 'archived' | 'deleted';

export function shelfOf(c: Conversation): Shelf {
  if (c.deleted_at !== undefined) return 'deleted';
  return c.archived_at !== undefined ? 'archived' : 'active';
}

/** A heading with what stands under it. The key is pinned, today, yesterday, week, a month as 2026-11, or a shelf. */
export interface Section {
  key: string;
  list: Conversation[];
  /** The archived and the deleted ones are folded away. */
  fold: boolean;
  open: boolean;
}

const DAY = 86_400_000;

/** The conversations of an agent under their headings. `open` are the folds that are open. */
export function sections(
  list: readonly Conversation[],
  agent: string,
  now: Date,
  open: ReadonlySet<string> = new Set(),
): Section[] {
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime();
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1).getTime();
  const week = midnight - 6 * DAY;
  const group = (c: Conversation): string => {
    if (c.pinned) return 'pinned';
    const at = Date.parse(c.updated_at);
    if (at >= midnight) return 'today';
    if (at >= yesterday) return 'yesterday';
    if (at >= week) return 'week';
    const date = new Date(at);
    return `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}`;
  };
  const found = new Map<string, Conversation[]>();
  const add = (key: string, c: Conversation) => {
    const known = found.get(key);
    if (known) known.push(c);
    else found.set(key, [c]);
  };
  const shelves: Record<Shelf, Conversation[]> = { active: [], archived: [], deleted: [] };
  for (const c of list) if (c.agent_id === agent) shelves[shelfOf(c)].push(c);
  for (const c of shelves.active) add(group(c), c);
  return [
    ...[...found].map(([key, list]) => ({ key, list, fold: false, open: true })),
    ...(['archived', 'deleted'] as const)
      .filter((key) => shelves[key].length > 0)
      .map((key) => ({ key, list: shelves[key], fold: true, open: open.has(key) })),
  ];
}

/** What the keyboard can go to, in order: the heading of a fold (by its key) and conversations (by their ids). */
export function stops(list: readonly Section[]): string[] {
  return list.flatMap((s) => [...(s.fold ? [s.key] : []), ...(s.open ? s.list.map((c) => c.id) : [])]);
}

export interface Heights {
  row: number;
  head: number;
}

/** Where a stop is in the list, in pixels from its top. */
export function placeOf(
  list: readonly Section[],
  stop: string,
  { row, head }: Heights,
): { top: number; height: number } {
  let top = 0;
  for (const s of list) {
    if (s.fold && s.key === stop) return { top, height: head };
    top += head;
    if (!s.open) continue;
    const at = s.list.findIndex((c) => c.id === stop);
    if (at >= 0) return { top: top + at * row, height: row };
    top += s.list.length * row;
  }
  return { top: 0, height: 0 };
}

/** The part of a section that is drawn: its heading, where that is near, and the rows [from, to). */
export interface Drawn {
  section: Section;
  head: boolean;
  from: number;
  to: number;
}

/** What must be drawn for the stretch from `top` to `bottom`, and how much empty room stands before and after it. */
export function drawn(
  list: readonly Section[],
  { row, head }: Heights,
  top: number,
  bottom: number,
): { before: number; parts: Drawn[]; after: number } {
  let at = 0;
  let first = -1;
  let last = 0;
  const parts: Drawn[] = [];
  for (const section of list) {
    const rows = section.open ? section.list.length : 0;
    const start = at + head;
    const end = start + rows * row;
    if (end > top && at < bottom) {
      const from = Math.min(rows, Math.max(0, Math.floor((top - start) / row)));
      const to = Math.min(rows, Math.max(from, Math.ceil((bottom - start) / row)));
      const shown = start > top;
      if (first < 0) first = shown ? at : start + from * row;
      last = start + to * row;
      parts.push({ section, head: shown, from, to });
    }
    at = end;
  }
  return { before: Math.max(0, first), parts, after: at - (parts.length > 0 ? last : 0) };
}

/** A text in pieces, those that are words of the search being marked. */
export function marked(text: string, query: string): { text: string; hit: boolean }[] {
  const words = query
    .trim()
    .split(/[\s\p{P}]+/u)
    .filter((word) => word !== '')
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  if (words.length === 0) return [{ text, hit: false }];
  // Splitting at a group keeps what is matched at the odd places.
  return text
    .split(new RegExp(`(${words.join('|')})`, 'giu'))
    .map((piece, i) => ({ text: piece, hit: i % 2 === 1 }))
    .filter((piece) => piece.text !== '');
}
