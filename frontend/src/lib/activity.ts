// What is listed of the activity, as it stands in the address, and how its events become rows.
import type { Actor, BusEvent } from './api.gen';

/** An event that is kept: it has an id and is a row of the database. */
export type Kept = BusEvent & { id: string };
type Type = BusEvent['type'];

const groups = {
  edits: [
    'block.changed',
    'attachment.changed',
    'order.changed',
    'passage.changed',
    'passages.changed',
    'document.changed',
    'feedback.changed',
    'fact.changed',
    'fact.question',
    'agent.changed',
    'archive.changed',
  ],
  recalls: ['recall.done', 'window.paged'],
  evictions: ['window.evicted', 'window.rebased', 'compaction.done', 'compaction.undone', 'compaction.failed'],
  background: ['job.ended', 'embed.done', 'backup.done'],
  errors: ['turn.failed', 'job.failed', 'engine.failed'],
} as const satisfies Record<string, readonly Type[]>;

export type Group = keyof typeof groups;
export const groupNames = Object.keys(groups) as Group[];

export function groupOf(type: Type): Group | undefined {
  return groupNames.find((name) => (groups[name] as readonly Type[]).includes(type));
}

const actors: readonly Actor[] = ['user', 'model', 'system', 'import'];

export interface ActivityQuery {
  q: string;
  /** Which groups are listed; none means all. */
  groups: readonly Group[];
  actor: Actor | '';
  agent: string;
  conversation: string;
  /** Days as YYYY-MM-DD, both included; '' is open. */
  after: string;
  before: string;
}

export const allActivity: ActivityQuery = {
  q: '',
  groups: [],
  actor: '',
  agent: '',
  conversation: '',
  after: '',
  before: '',
};

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const day = (text: string | undefined): string => (text && DAY.test(text) ? text : '');

/** Reads it from the address; what makes no sense there is left out. */
export function readActivity(address: Readonly<Record<string, string>>): ActivityQuery {
  const { q = '', type = '', actor, agent = '', conversation = '', after, before } = address;
  const named = type.split(',');
  return {
    q,
    groups: groupNames.filter((name) => named.includes(name)),
    actor: actors.find((one) => one === actor) ?? '',
    agent,
    conversation,
    after: day(after),
    before: day(before),
  };
}

/** As it stands in the address. */
export function writeActivity({ groups: chosen, ...rest }: ActivityQuery): Record<string, string> {
  return { ...rest, type: chosen.join(',') };
}

export const isFiltered = (query: ActivityQuery): boolean =>
  Object.entries(query).some(([name, value]) => name !== 'q' && value.length > 0);

/** The same as parameters of the API. */
export function activityParameters(query: ActivityQuery): URLSearchParams {
  const chosen = query.groups.length > 0 ? query.groups : groupNames;
  const all = {
    types: chosen.flatMap((name) => groups[name]).join(','),
    actor: query.actor,
    agent_id: query.agent,
    conversation_id: query.conversation,
    query: query.q.trim(),
    after: query.after,
    before: query.before,
  };
  return new URLSearchParams(Object.entries(all).filter(([, value]) => value !== ''));
}

/** One group more or less. All of them is the same as none. */
export function toggleGroup(query: ActivityQuery, group: Group): ActivityQuery {
  const chosen = groupNames.filter((name) => (name === group) !== query.groups.includes(name));
  return { ...query, groups: chosen.length === groupNames.length ? [] : chosen };
}

/** Those of a fresh first page that are not known yet, newest first; `gap` when it may not reach back to what is known. */
export function newer(known: readonly Kept[], page: readonly Kept[]): { fresh: Kept[]; gap: boolean } {
  const ids = new Set(known.slice(0, page.length + 50).map((event) => event.id));
  const fresh = page.filter((event) => !ids.has(event.id));
  return { fresh, gap: known.length > 0 && fresh.length === page.length && page.length > 0 };
}

/** What is known, with the counts of a fresh page: a change of many passages goes on in the row that it began. */
export function renewed(known: readonly Kept[], page: readonly Kept[]): readonly Kept[] {
  const many = new Map(page.filter(({ type }) => type === 'passages.changed').map((event) => [event.id, event]));
  return many.size === 0 ? known : known.map((event) => many.get(event.id) ?? event);
}

export type Row = { kind: 'day'; key: string; date: string } | { kind: 'event'; key: string; event: Kept };

/** Rows of a list: each day has a heading. Days are those of the reader. */
export function rows(events: readonly Kept[]): Row[] {
  const list: Row[] = [];
  let last = '';
  for (const event of events) {
    const date = new Date(event.at);
    const name = `${date.getFullYear()}-${date.getMonth()}-${date.getDate()}`;
    if (name !== last) list.push({ kind: 'day', key: `day ${name} ${event.id}`, date: event.at });
    last = name;
    list.push({ kind: 'event', key: event.id, event });
  }
  return list;
}

/** How many days of the reader lie between a time and now. */
export function daysAgo(at: string, now: Date): number {
  const midnight = (date: Date) => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
  return Math.round((midnight(now) - midnight(new Date(at))) / 86_400_000);
}

const byUser: readonly Type[] = ['agent.changed', 'archive.changed', 'window.paged'];

/** Who did it: the one an event names, else the one who can. */
export function actorOf(event: Kept): Actor {
  if ('actor' in event.data && event.data.actor) return event.data.actor;
  return byUser.includes(event.type) ? 'user' : 'system';
}
