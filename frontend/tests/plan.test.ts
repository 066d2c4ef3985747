import { expect, test } from 'vitest';
import type { Plan } from '../src/lib/api.gen';
import { isEstimate, share, tableText } from '../src/lib/plan';

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
