import { afterEach, expect, test, vi } from 'vitest';
import { Archive } from '../src/lib/archive.svelte';
import { allPassages } from '../src/lib/passages';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('who waits for a search by meaning is told when another one takes its place', async () => {
  vi.useFakeTimers();
  const asked: string[] = [];
  vi.stubGlobal('fetch', (url: string) => {
    asked.push(url);
    return Promise.resolve(Response.json({ passages: [], ids: ['p'] }));
  });
  const archive = new Archive();
  const search = archive.load('a', { ...allPassages, q: 'tyres' }, true);
  await vi.waitUntil(() => archive.joining);
  await archive.load('a', allPassages, true);
  await search; // without a timer running out
  expect(archive.ids).toEqual(['p']);
  expect(archive.joining).toBe(false);
  expect(asked.filter((url) => url.includes('tyres'))).toHaveLength(1);
});
