import { expect, test } from 'vitest';
import { pauseAfter } from '../src/lib/pace';

test('what comes is shown at once as far as the machine manages, and less often where that takes long', () => {
  expect(pauseAfter(0)).toBe(80);
  expect(pauseAfter(3)).toBe(80);
  expect(pauseAfter(10)).toBe(190); // 10 ms of 200
  expect(pauseAfter(500)).toBe(400);
});
