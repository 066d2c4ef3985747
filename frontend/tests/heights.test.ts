import { describe, expect, test } from 'vitest';
import { Heights } from '../src/lib/heights';

/** The same numbers in every run. */
function random(seed: number) {
  return () => (seed = (seed * 1664525 + 1013904223) % 4294967296) / 4294967296;
}

describe('heights of rows', () => {
  test('agree with plain sums, whatever is set', () => {
    const next = random(7);
    for (const length of [1, 2, 3, 64, 65, 1000]) {
      const plain = Array.from({ length }, () => 10 + Math.floor(next() * 90));
      const heights = new Heights(length, (i) => plain[i] ?? 0);
      for (let n = 0; n < 200; n++) {
        const i = Math.floor(next() * length);
        const height = 10 + Math.floor(next() * 90);
        expect(heights.set(i, height)).toBe(height - (plain[i] ?? 0));
        plain[i] = height;
        const row = Math.floor(next() * length);
        const top = plain.slice(0, row).reduce((sum, h) => sum + h, 0);
        expect(heights.top(row)).toBe(top);
        expect(heights.at(top)).toBe(row);
        expect(heights.at(top + (plain[row] ?? 0) - 1)).toBe(row);
      }
      expect(heights.total).toBe(plain.reduce((sum, h) => sum + h, 0));
    }
  });

  test('what is out of reach is the first or the last', () => {
    const heights = new Heights(3, () => 20);
    expect(heights.at(-5)).toBe(0);
    expect(heights.at(1000)).toBe(2);
    expect(heights.set(3, 50)).toBe(0);
    expect(new Heights(0, () => 20).total).toBe(0);
    expect(new Heights(0, () => 20).at(10)).toBe(0);
  });
});
