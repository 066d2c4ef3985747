import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  activityParameters,
  actorOf,
  allActivity,
  daysAgo,
  groupNames,
  groupOf,
  isFiltered,
  newer,
  readActivity,
  renewed,
  rows,
  toggleGroup,
  writeActivity,
  type Kept,
} from '../src/lib/activity';
import { ActivityFeed } from '../src/lib/activity.svelte';

const event = (id: string, at: string, over: Partial<Kept> = {}): Kept =>
  ({ id, seq: 0, type: 'recall.done', at, data: {}, ...over }) as Kept;

describe('the query of the activity', () => {
  test('comes back from the address as it went in', () => {
    for (const query of [
      allActivity,
      {
        q: 'Comet & 年糕',
        groups: ['edits', 'errors'] as const,
        actor: 'model' as const,
        agent: 'a',
        conversation: 'c',
        after: '2026-11-01',
        before: '2026-11-30',
      },
    ]) {
      expect(readActivity(writeActivity(query))).toEqual(query);
    }
  });

  test('what makes no sense in the address is left out', () => {
    expect(readActivity({ type: 'nonsense,', actor: 'nobody', after: 'today', before: '1' })).toEqual(allActivity);
  });

  test('without a choice all groups are asked for, with one only its types', () => {
    const all = activityParameters(allActivity).get('types') ?? '';
    for (const name of groupNames) {
      const chosen = activityParameters({ ...allActivity, groups: [name] }).get('types') ?? '';
      for (const type of chosen.split(',')) {
        expect(all).toContain(type);
        expect(groupOf(type as Kept['type'])).toBe(name);
      }
    }
    expect(activityParameters({ ...allActivity, q: '  ' }).has('query')).toBe(false);
  });

  test('all groups are the same as none', () => {
    let query = allActivity;
    for (const name of groupNames) query = toggleGroup(query, name);
    expect(query.groups).toEqual([]);
    expect(toggleGroup(toggleGroup(allActivity, 'edits'), 'edits')).toEqual(allActivity);
    expect(toggleGroup({ ...allActivity, groups: ['recalls'] }, 'edits').groups).toEqual(['edits', 'recalls']);
    expect(isFiltered({ ...allActivity, q: 'x' })).toBe(false);
    expect(isFiltered({ ...allActivity, actor: 'user' })).toBe(true);
  });
});

describe('what is new', () => {
  const known = [event('3', ''), event('2', ''), event('1', '')];
  test('comes before what is known, once', () => {
    expect(newer(known, [event('5', ''), event('4', ''), event('3', '')]).fresh.map((e) => e.id)).toEqual(['5', '4']);
    expect(newer(known, known)).toEqual({ fresh: [], gap: false });
    expect(newer([], [event('1', '')])).toEqual({ fresh: [event('1', '')], gap: false });
  });
  test('may be more than one page: then what is known cannot be joined to it', () => {
    expect(newer(known, [event('9', ''), event('8', '')]).gap).toBe(true);
  });
  test('may be more of a change of many passages that is known', () => {
    const many = (count: number) => event('2', '', { type: 'passages.changed', data: { count } } as Partial<Kept>);
    const recall = event('3', '');
    const now = renewed([recall, many(1000)], [event('3', ''), many(2000)]);
    expect(now).toEqual([recall, many(2000)]);
    expect(now[0]).toBe(recall);
  });
});

test('each day of the reader has a heading', () => {
  const list = rows([
    event('d', new Date(2026, 10, 29, 9).toISOString()),
    event('c', new Date(2026, 10, 29, 0, 1).toISOString()),
    event('b', new Date(2026, 10, 28, 23, 59).toISOString()),
    event('a', new Date(2025, 10, 28, 23, 59).toISOString()),
  ]);
  expect(list.map((row) => (row.kind === 'day' ? '-' : row.key)).join('')).toBe('-dc-b-a');
  expect(new Set(list.map((row) => row.key)).size).toBe(list.length);
});

test('yesterday ends at midnight', () => {
  const now = new Date(2026, 10, 29, 0, 5);
  const ago = (...date: [number, number, number, number]) => daysAgo(new Date(...date).toISOString(), now);
  expect([ago(2026, 10, 29, 0), ago(2026, 10, 28, 23), ago(2026, 10, 28, 0), ago(2025, 10, 29, 12)]).toEqual([
    0, 1, 1, 365,
  ]);
});

test('who did it is named, or the one who can', () => {
  expect(actorOf(event('1', '', { type: 'block.changed', data: { actor: 'model' } } as Partial<Kept>))).toBe('model');
  expect(actorOf(event('1', '', { type: 'agent.changed', data: {} } as Partial<Kept>))).toBe('user');
  expect(actorOf(event('1', ''))).toBe('system');
});

describe('a search that comes in steps', () => {
  afterEach(() => vi.unstubAllGlobals());

  test('goes on by itself until something is found, or all was looked at', async () => {
    const pages: Record<string, { events: Kept[]; next: string }> = {
      '': { events: [], next: 'a' },
      a: { events: [event('1', '2026-11-02T10:00:00Z')], next: 'b' },
      b: { events: [], next: '' },
    };
    const asked: string[] = [];
    vi.stubGlobal('fetch', (url: string) => {
      const cursor = new URL(url, 'http://app').searchParams.get('cursor') ?? '';
      asked.push(cursor);
      return Promise.resolve(Response.json(pages[cursor]));
    });
    const feed = new ActivityFeed();
    const loading = feed.load({ ...allActivity, q: 'comet' });
    expect(feed.loading).toBe(true);
    await loading;
    expect(asked).toEqual(['', 'a', 'b']);
    expect(feed.events?.map(({ id }) => id)).toEqual(['1']);
    expect([feed.next, feed.loading]).toEqual(['', false]);
  });
});
