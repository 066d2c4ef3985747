import { describe, expect, test } from 'vitest';
import type { Compaction, CompactionEntry, Plan, WindowItem } from '../src/lib/api.gen';
import { named, steps } from '../src/lib/chart';
import { byBlock, countOf, marked, nothingOf, saved, sections } from '../src/lib/compactions';
import { Format } from '../src/lib/format';
import { mark, emptyState, reduce } from '../src/lib/state';
import { canPin, canTakeOut, grouped } from '../src/lib/window';

const compaction = (over: Partial<Compaction>): Compaction => ({
  id: 'c1',
  kind: 'core',
  agent_id: 'a1',
  conversation_id: '',
  trigger: 'user',
  strategy: 'score',
  state: 'done',
  tokens_before: 1704,
  tokens_after: 1196,
  required: 504,
  duration_ms: 4,
  created_at: '2026-11-12T21:40:00Z',
  ...over,
});
const entry = (over: Partial<CompactionEntry>): CompactionEntry => ({
  block_id: 'b1',
  label: 'human',
  text: '- Cat: Niangao.\n',
  start: 0,
  tokens: 8,
  kind: 'people',
  score: 9,
  basis: 9,
  reason: 'is about people or animals of theirs',
  by_model: false,
  protected: '' as CompactionEntry['protected'],
  action: 'stays',
  ...over,
});
const item = (over: Partial<WindowItem>): WindowItem => ({
  kind: 'message',
  part: 'messages',
  id: 'm1',
  text: 'Hello',
  tokens: 4,
  reason: 'recent',
  ...over,
});

describe('what a compaction brought', () => {
  test('is what left, by kind, and never less than nothing', () => {
    const entries = [
      entry({ action: 'archived' }),
      entry({ action: 'linked' }),
      entry({ action: 'restored' }),
      entry({}),
    ];
    expect(countOf(compaction({ entries }))).toBe(2);
    expect(countOf(compaction({ kind: 'transcript', evicted: ['m1', 'm2', 'm3'] }))).toBe(3);
    expect(saved(compaction({}))).toBe(508);
    expect(saved(compaction({ tokens_after: 2000 }))).toBe(0);
  });
  test('entries keep their numbers, and empty lines are not listed', () => {
    const entries = [entry({}), entry({ text: '\n' }), entry({ block_id: 'b2', label: 'move' }), entry({ text: 'x' })];
    expect(byBlock(entries).map(({ label, entries: of }) => [label, of.map(({ number }) => number)])).toEqual([
      ['human', [0, 3]],
      ['move', [2]],
    ]);
  });
  test('an event of it says what is to be fetched anew', () => {
    const data = { compaction_id: 'c1', kind: 'transcript', agent_id: 'a1', conversation_id: 'k1' } as const;
    const rest = { trigger: 'user', strategy: 'priority', saved: 1, evicted: 2 } as const;
    const event = { seq: 1, at: '', type: 'compaction.done', data: { ...data, ...rest } } as const;
    const { marks } = reduce(emptyState, event);
    expect([marks[mark.compactions], marks[mark.subject('c1')], marks[mark.plan('k1')]]).toEqual([1, 1, 1]);
  });
});

describe('a summary', () => {
  test('is read by its headings, in both languages', () => {
    expect(sections('Goals:\n- be ready: by Friday\n- pack\nFacts:\n- van on the 27th')).toEqual([
      { title: 'Goals', lines: ['be ready: by Friday', 'pack'] },
      { title: 'Facts', lines: ['van on the 27th'] },
    ]);
    expect(sections('目标：\n- 搬家')).toEqual([{ title: '目标', lines: ['搬家'] }]);
    expect(sections('')).toEqual([]);
  });
  test('what it lost is marked in the messages, the longer word first', () => {
    expect(marked('Train at 14:35, platform 14.', ['14', '14:35'])).toEqual([
      { text: 'Train at ', lost: false },
      { text: '14:35', lost: true },
      { text: ', platform ', lost: false },
      { text: '14', lost: true },
      { text: '.', lost: false },
    ]);
    expect(marked('(49 €) paid', ['(49 €)'])).toEqual([
      { text: '(49 €)', lost: true },
      { text: ' paid', lost: false },
    ]);
    expect(marked('as it is', [])).toEqual([{ text: 'as it is', lost: false }]);
  });
});

test('what stands in the window is shown by part, and only what came in can be taken out', () => {
  const items = [
    item({}),
    item({ id: 'm0', reason: 'recall', part: 'recalled' }),
    item({ kind: 'block', id: 'b1', reason: 'core', part: 'core' }),
    item({ kind: 'stub', id: 't1' }),
    item({ kind: 'passage', id: 'p1', reason: 'clicked', part: 'recalled', tokens: 6 }),
    item({ kind: 'passage', id: '', reason: 'recall', part: 'recalled' }),
  ];
  const parts = (['system', 'core', 'recalled', 'messages'] as const).map((name, i) => ({
    name,
    allowed: 99,
    used: i,
  }));
  const plan = { parts } as Plan;
  expect(grouped({ plan, items }).map(({ name, items: own, tokens }) => [name, own.length, tokens])).toEqual([
    ['core', 1, 1],
    ['recalled', 3, 2],
    ['messages', 2, 3],
  ]);
  expect(items.map(canPin)).toEqual([true, true, false, false, true, false]);
  expect(items.map(canTakeOut)).toEqual([false, true, false, false, true, false]);
});

test('the axis of a chart has round steps that reach the most', () => {
  expect(steps(43_006)).toEqual([0, 20_000, 40_000, 60_000]);
  expect(steps(3)).toEqual([0, 1, 2, 3]);
  expect(steps(0)).toEqual([0, 1]);
  expect(named(10, 4)).toEqual([0, 3, 6, 9]);
  expect(named(0, 4)).toEqual([]);
});

test('large numbers and dollars are written as the language does', () => {
  expect(new Format('en').compact(12_400)).toBe('12.4K');
  expect(new Format('zh-CN').compact(12_400)).toBe('1.2万');
  expect(new Format('en').dollars(225)).toBe('$225.00');
  expect(new Format('en').dollars(0.075, 4)).toBe('$0.0750');
});

test('that nothing left is told in words while it goes on and when it failed, else as a number', () => {
  const summary = { kind: 'transcript', strategy: 'summary' } as const;
  expect(nothingOf(compaction({ ...summary, state: 'failed' }))).toBe('unchanged');
  expect(nothingOf(compaction({ ...summary, state: 'pending' }))).toBe('notYet');
  expect(nothingOf(compaction({ ...summary, state: 'done' }))).toBeUndefined();
  expect(nothingOf(compaction({ ...summary, state: 'failed', evicted: ['m1'] }))).toBeUndefined();
});
