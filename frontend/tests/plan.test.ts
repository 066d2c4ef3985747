import { describe, expect, test } from 'vitest';
import type { Plan } from '../src/lib/api.gen';
import { forecast, isEstimate, share, tableText } from '../src/lib/plan';

const plan = (over: Partial<Plan> = {}): Plan => ({
  window: 4096,
  usable: 2600,
  parts: [
    { name: 'system', allowed: 300, used: 300 },
    { name: 'messages', allowed: 2300, used: 1100 },
    { name: 'reserve', allowed: 1024, used: 1024 },
    { name: 'margin', allowed: 410, used: 410 },
  ],
  prompt: 1400,
  cached: 1000,
  measured: 0,
  exact: false,
  num_predict: 1024,
  messages: 11,
  first: '',
  evicted: 0,
  pins: 0,
  recalled: 0,
  created_at: '',
  ...over,
});

describe('how many more messages fit', () => {
  test('by how long those before were, each with its answer', () => {
    expect(forecast(plan())).toBe(6); // 1,200 tokens are free, an exchange takes 200
    expect(forecast(plan({ prompt: 2590 }))).toBe(0);
    expect(forecast(plan({ prompt: 2700 }))).toBe(0);
  });
  test('nobody can tell at the beginning', () => {
    expect(forecast(plan({ messages: 1 }))).toBeUndefined();
    expect(forecast(plan({ messages: 4 }))).toBeUndefined();
    expect(forecast(plan({ parts: [] }))).toBeUndefined();
  });
});

test('a total that the engine has counted, or that is exact, is no estimate', () => {
  expect(isEstimate(plan())).toBe(true);
  expect(isEstimate(plan({ exact: true }))).toBe(false);
  expect(isEstimate(plan({ measured: 1380 }))).toBe(false);
  expect(isEstimate(plan({ measured: 700 }))).toBe(true); // much was typed since
  expect(share(plan({ prompt: 2600 }))).toBe(1);
  expect(share(plan({ usable: 0 }))).toBe(0);
});

test('a table is copied with tabs', () => {
  expect(tableText(['Part', 'Used'], [['Core memory', 1412]])).toBe('Part\tUsed\nCore memory\t1412');
});
