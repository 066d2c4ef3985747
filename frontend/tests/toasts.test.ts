import { render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import Toasts from '../src/components/Toasts.svelte';
import { toasts } from '../src/lib/toasts.svelte';

const shown = () => screen.queryAllByRole('group').map((toast) => toast.querySelector('span')?.textContent);

beforeEach(() => {
  vi.useFakeTimers();
  render(Toasts);
});
afterEach(() => {
  vi.runAllTimers();
  vi.useRealTimers();
});

test('what is said twice stands there once, and as long as if it had just been said', async () => {
  toasts.show('The backup is whole.');
  toasts.show('Exported.');
  vi.advanceTimersByTime(4000);
  toasts.show('The backup is whole.');
  await tick();
  expect(shown()).toEqual(['Exported.', 'The backup is whole.']);
  vi.advanceTimersByTime(4000);
  await tick();
  expect(shown()).toEqual(['The backup is whole.']);
  vi.advanceTimersByTime(1000);
  await tick();
  expect(shown()).toEqual([]);
});

test('its Undo takes back what was done last, once', async () => {
  const [first, second] = [vi.fn(), vi.fn()];
  toasts.show('The tags of 2 passages were changed.', { action: { label: 'Undo', run: first } });
  toasts.show('The tags of 2 passages were changed.', { action: { label: 'Undo', run: second } });
  await tick();
  screen.getByRole('button', { name: 'Undo' }).click();
  await tick();
  expect(first).not.toHaveBeenCalled();
  expect(second).toHaveBeenCalledOnce();
  expect(shown()).toEqual([]);
});
