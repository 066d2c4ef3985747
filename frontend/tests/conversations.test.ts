import { describe, expect, test } from 'vitest';
import type { Conversation } from '../src/lib/api.gen';
import { drawn, marked, placeOf, putConversations, sections, stops } from '../src/lib/conversations';

const conversation = (id: string, updated_at: string, over: Partial<Conversation> = {}): Conversation => ({
  id,
  agent_id: 'a',
  title: id,
  title_by: 'system',
  head: '',
  pinned: false,
  created_at: updated_at,
  updated_at,
  ...over,
});
const now = new Date('2026-11-29T12:00:00');
const at = (date: string) => new Date(date).toISOString();

describe('the order', () => {
  const list = [conversation('b', '2026-11-02T00:00:00Z'), conversation('a', '2026-11-01T00:00:00Z')];

  test('the last used stands first, a pinned one before all', () => {
    const put = putConversations(list, [
      conversation('c', '2026-11-03T00:00:00Z'),
      conversation('p', '2026-10-01T00:00:00Z', { pinned: true }),
    ]);
    expect(put.map((c) => c.id)).toEqual(['p', 'c', 'b', 'a']);
  });

  test('a time has as many digits of a second as it takes', () => {
    const put = ['05.1', '05.12', '05', '05.099'].map((s) => conversation(s, `2026-11-03T00:00:${s}Z`));
    expect(putConversations([], put).map((c) => c.id)).toEqual(['05.12', '05.1', '05.099', '05']);
  });

  test('one that was used again moves up and is there once', () => {
    const put = putConversations(list, [conversation('a', '2026-11-04T00:00:00Z')]);
    expect(put.map((c) => c.id)).toEqual(['a', 'b']);
  });
});

describe('groups', () => {
  const list = putConversations(
    [],
    [
      conversation('today', at('2026-11-29T00:05:00')),
      conversation('yesterday', at('2026-11-28T23:55:00')),
      conversation('week', at('2026-11-24T10:00:00')),
      conversation('november', at('2026-11-10T12:00:00')),
      conversation('august', at('2026-08-10T12:00:00')),
      conversation('last year', at('2025-08-10T12:00:00')),
      conversation('pinned', at('2025-01-01T12:00:00'), { pinned: true }),
      conversation('archived', at('2026-11-29T10:00:00'), { archived_at: at('2026-11-29T11:00:00') }),
      conversation('deleted', at('2026-11-29T10:00:00'), { deleted_at: at('2026-11-29T11:00:00') }),
      conversation('of another', at('2026-11-29T10:00:00'), { agent_id: 'b' }),
    ],
  );

  test('are days, the week, then months; what is archived or deleted is folded away at the end', () => {
    const got = sections(list, 'a', now);
    expect(got.map((s) => [s.key, s.list.map((c) => c.id)])).toEqual([
      ['pinned', ['pinned']],
      ['today', ['today']],
      ['yesterday', ['yesterday']],
      ['week', ['week']],
      ['2026-11', ['november']],
      ['2026-08', ['august']],
      ['2025-08', ['last year']],
      ['archived', ['archived']],
      ['deleted', ['deleted']],
    ]);
    expect(got.filter((s) => !s.open).map((s) => s.key)).toEqual(['archived', 'deleted']);
  });

  test('the keyboard stops at folds and, where they are open, at what is in them', () => {
    const got = stops(sections(list, 'a', now, new Set(['archived'])));
    expect(got.slice(-3)).toEqual(['archived', 'archived', 'deleted']);
    expect(got[0]).toBe('pinned');
  });
});

describe('of ten thousand', () => {
  const day = 86_400_000;
  const many = Array.from({ length: 10_000 }, (_, i) =>
    conversation(String(i).padStart(5, '0'), new Date(now.getTime() - i * (day / 10)).toISOString()),
  );
  const list = sections(putConversations([], many), 'a', now);
  const heights = { row: 28, head: 36 };
  const total = 10_000 * 28 + list.length * 36;

  test.each([0, 5_000, 140_000, total - 600])('a screenful is drawn, from %d px on', (top) => {
    const { before, parts, after } = drawn(list, heights, top, top + 600);
    const rows = parts.reduce((n, p) => n + p.to - p.from, 0);
    expect(rows).toBeGreaterThan(10);
    expect(rows).toBeLessThan(25);
    const height = rows * 28 + parts.filter((p) => p.head).length * 36;
    expect(before + height + after).toBe(total);
    expect(before).toBeLessThanOrEqual(top);
    expect(before + height).toBeGreaterThanOrEqual(Math.min(top + 600, total));
  });

  test('each can be found', () => {
    const place = placeOf(list, '09999', heights);
    expect(place).toEqual({ top: total - 28, height: 28 });
    const { parts } = drawn(list, heights, place.top, place.top + 1);
    const part = parts[0];
    expect(part?.section.list.slice(part.from, part.to).map((c) => c.id)).toContain('09999');
  });
});

test('the words of a search are marked, signs in it mean themselves', () => {
  const hits = (text: string, query: string) =>
    marked(text, query)
      .filter((p) => p.hit)
      .map((p) => p.text);
  expect(hits('My bicycle is called Comet.', 'comet bicyc')).toEqual(['bicyc', 'Comet']);
  expect(hits('年糕换了新粮。', '新粮')).toEqual(['新粮']);
  expect(hits('What (really)?', '(re')).toEqual(['re']);
  expect(marked('abc', ' ')).toEqual([{ text: 'abc', hit: false }]);
  expect(
    marked('a+b', 'a+b')
      .map((p) => p.text)
      .join(''),
  ).toBe('a+b');
});
