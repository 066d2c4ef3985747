import { render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import TurnProgress from '../src/components/TurnProgress.svelte';
import type { TurnProgress as Turn } from '../src/lib/api.gen';

const turn = (over: Partial<Turn>): Turn =>
  ({ phase: 'reading', read: 0, total: 0, elapsed_ms: 0, eta_ms: 0, detail: '', queued: [], ...over }) as Turn;
const shown = () => document.querySelector('.progress')?.textContent?.replace(/\s+/g, ' ').trim();

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('while a model is loaded the seconds are counted, also between two events', async () => {
  render(TurnProgress, { turn: turn({ phase: 'loading', elapsed_ms: 11_000 }) });
  vi.advanceTimersByTime(1000);
  await tick();
  expect(shown()).toBe('Loading model 12 s');
  expect(screen.queryByRole('progressbar')).toBeNull();
});

test('while the prompt is read a bar says how far, and how long it will take', async () => {
  render(TurnProgress, { turn: turn({ read: 1240, total: 3856, elapsed_ms: 4000, eta_ms: 9000, queued: ['a'] }) });
  await tick();
  expect(shown()).toBe('Read 1,240 of 3,856 tokens · 1 message waits about 9 s');
  const bar = screen.getByRole('progressbar');
  expect([bar.ariaValueNow ?? bar.getAttribute('aria-valuenow'), bar.getAttribute('aria-valuemax')]).toEqual([
    '1240',
    '3856',
  ]);
  vi.advanceTimersByTime(10_000);
  await tick();
  expect(shown()).toContain('longer than estimated');
});
