// What is shown of an archive, as it stands in the address, and which of it is chosen.
import type { Passage } from './api.gen';
import { readParts, writeParts } from './drafts';

export interface PassageQuery {
  /** What is searched for, '' for all. */
  q: string;
  tags: readonly string[];
  mode: 'any' | 'all';
  /** Days as YYYY-MM-DD, both included; '' is open. */
  after: string;
  before: string;
  origin: '' | 'message' | 'document' | 'hand';
  /** One passage that a link leads to, '' for a list. */
  passage: string;
}

export const allPassages: PassageQuery = {
  q: '',
  tags: [],
  mode: 'any',
  after: '',
  before: '',
  origin: '',
  passage: '',
};

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const day = (text: string | undefined): string => (text && DAY.test(text) ? text : '');

/** Reads it from the address; what makes no sense there is left out. */
export function readQuery(address: Readonly<Record<string, string>>): PassageQuery {
  const { q = '', tags = '', mode, after, before, origin, passage = '' } = address;
  return {
    q,
    tags: tags.split(',').filter((tag) => tag !== ''),
    mode: mode === 'all' ? 'all' : 'any',
    after: day(after),
    before: day(before),
    origin: origin === 'message' || origin === 'document' || origin === 'hand' ? origin : '',
    passage,
  };
}

/** As it stands in the address. */
export function writeQuery(query: PassageQuery): Record<string, string> {
  const { mode, tags, ...rest } = query;
  return { ...rest, tags: tags.join(','), mode: mode === 'all' && tags.length > 1 ? 'all' : '' };
}

/** Whether anything but the words restricts the list. */
export const isFiltered = (query: PassageQuery): boolean =>
  query.tags.length > 0 || query.after !== '' || query.before !== '' || query.origin !== '';

/** The same as parameters of the API. */
export function parameters(agent: string, query: PassageQuery): URLSearchParams {
  const all = {
    agent_id: agent,
    tags: query.tags.join(','),
    tag_mode: query.mode,
    after: query.after,
    before: query.before,
    origin: query.origin,
  };
  return new URLSearchParams(Object.entries(all).filter(([, value]) => value !== ''));
}

/** Chosen rows, and the one from which a range is drawn with Shift. */
export interface Selection {
  ids: ReadonlySet<string>;
  from: string;
}

export const noSelection: Selection = { ids: new Set(), from: '' };

/** One row more or less; with Shift the same for all rows from the last one that was chosen. */
export function choose(selection: Selection, order: readonly string[], id: string, range: boolean): Selection {
  const ids = new Set(selection.ids);
  const on = !ids.has(id);
  const [a, b] = [order.indexOf(range ? selection.from : id), order.indexOf(id)].sort((x, y) => x - y) as [
    number,
    number,
  ];
  for (const other of a < 0 ? [id] : order.slice(a, b + 1)) {
    if (on) ids.add(other);
    else ids.delete(other);
  }
  return { ids, from: id };
}

/** What is still there of a selection. */
export function keepChosen(selection: Selection, order: readonly string[]): Selection {
  if (selection.ids.size === 0) return selection;
  const there = new Set(order);
  const ids = new Set([...selection.ids].filter((id) => there.has(id)));
  return ids.size === selection.ids.size ? selection : { ids, from: there.has(selection.from) ? selection.from : '' };
}

/** A passage where it is named: how it begins. */
export function nameOf({ text }: Pick<Passage, 'text'>): string {
  const letters = [...(text.trim().split('\n', 1)[0] ?? '')];
  return letters.length > 60 ? `${letters.slice(0, 60).join('')}…` : letters.join('');
}

/** Tags as they are typed: separated by commas, of either script. */
export function splitTags(text: string): string[] {
  const tags = text.split(/[,，、]/u).map((tag) => tag.trim().replace(/\s+/gu, ' '));
  return [...new Set(tags.filter((tag) => tag !== ''))];
}

/** Passages as a Markdown file, or as JSON for another program. */
export function exportPassages(passages: readonly Passage[], format: 'markdown' | 'json'): string {
  if (format === 'json') {
    return `${JSON.stringify(
      passages.map(({ text, tags, origin, created_at }) => ({ text, tags, created_at, ...(origin ? { origin } : {}) })),
      null,
      2,
    )}\n`;
  }
  return passages
    .map(({ text, tags, created_at }) => {
      const head = [created_at.slice(0, 10), ...tags.map((tag) => `#${tag.replaceAll(' ', '-')}`)].join(' ');
      return `## ${head}\n\n${text}\n`;
    })
    .join('\n');
}

/** What is written of a passage and not kept yet, and the version of it that this began from. */
export interface PassageDraft {
  text: string;
  tags: string;
  version: number;
}
/** The draft of a passage; of a new one the name is that of its archive's agent. */
const draftName = (passage: string): string => `passage:${passage}`;

export const readPassageDraft = (passage: string) => readParts<PassageDraft>(draftName(passage));
export const writePassageDraft = (passage: string, draft?: PassageDraft) => writeParts(draftName(passage), draft);
