import { expect, test } from 'vitest';
import { pauseAfter } from '../src/lib/pace';

test('what comes is shown at once as far as the machine manages, and less often where that costs much', () => {
  expect(pauseAfter(0)).toBe(80);
  expect(pauseAfter(2)).toBe(80);
  expect(pauseAfter(6)).toBe(194); // 6 ms of 200
  expect(pauseAfter(500)).toBe(400);
});

test('words that come faster than anybody reads are shown in larger pieces, each second at least', () => {
  expect(pauseAfter(6, 100)).toBe(194);
  expect(pauseAfter(6, 540)).toBe(582);
  expect(pauseAfter(500, 540)).toBe(1000);
  expect(pauseAfter(6, 1e6)).toBe(1000);
});
