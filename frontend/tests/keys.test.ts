import { expect, test } from 'vitest';
import { action, actions, implement, isPossible, press, run } from '../src/lib/actions.svelte';
import { ariaKeys, isPressed, keyNames } from '../src/lib/keys';

const event = (key: string, init: KeyboardEventInit = {}) => new KeyboardEvent('keydown', { key, ...init });

test.each<[keys: string, key: string, init: KeyboardEventInit, expected: boolean]>([
  ['Mod+K', 'k', { ctrlKey: true }, true],
  ['Mod+K', 'k', {}, false],
  ['Mod+K', 'K', { ctrlKey: true, shiftKey: true }, false],
  ['Mod+K', 'k', { ctrlKey: true, altKey: true }, false],
  ['Mod+K', 'л', { ctrlKey: true, code: 'KeyK' }, true],
  ['Mod+Shift+O', 'O', { ctrlKey: true, shiftKey: true }, true],
  ['Alt+1', '¡', { altKey: true, code: 'Digit1' }, true],
  ['Alt+ArrowLeft', 'ArrowLeft', { altKey: true }, true],
  ['?', '?', { shiftKey: true }, true],
  ['?', '?', {}, true],
  ['/', '/', { ctrlKey: true }, false],
  ['Mod++', '+', { ctrlKey: true, shiftKey: true }, true],
  ['F2', 'F2', {}, true],
])('%s is pressed by %s with %o: %s', (keys, key, init, expected) =>
  expect(isPressed(event(key, init), keys)).toBe(expected),
);

test('shortcuts are written as the keyboard has them', () => {
  expect(keyNames('Mod+Shift+O', false)).toEqual(['Ctrl', 'Shift', 'O']);
  expect(keyNames('Mod+K', true)).toEqual(['⌘', 'K']);
  expect(keyNames('Alt+ArrowLeft', false)).toEqual(['Alt', '←']);
  expect(ariaKeys('Mod+K', false)).toBe('Control+K');
});

test('no two actions that are heard everywhere share a shortcut, and each has a name', () => {
  const heard = actions().filter((a) => !a.local);
  const keys = heard.flatMap((a) => a.keys);
  expect(new Set(keys).size).toBe(keys.length);
  for (const { label } of actions()) expect(label).not.toBe('');
});

test('an action can be done while something says how', () => {
  let done = 0;
  expect(isPossible('find')).toBe(false);
  const end = implement({ find: () => done++ });
  expect(isPossible('find')).toBe(true);
  run('find');
  const ctrlF = event('f', { ctrlKey: true, cancelable: true });
  expect(press(ctrlF)).toBe(true);
  expect(ctrlF.defaultPrevented).toBe(true);
  end();
  run('find');
  expect(press(event('f', { ctrlKey: true }))).toBe(false);
  expect(done).toBe(2);
});

test('of two that do an action the later counts, and the end of the first leaves it', () => {
  const said: string[] = [];
  const first = implement({ newBlock: () => said.push('first') });
  const second = implement({ newBlock: () => said.push('second') });
  first();
  run('newBlock');
  second();
  run('newBlock');
  expect(said).toEqual(['second']);
});

test('a character is written where one writes, and while an input method composes nothing is heard', () => {
  const end = implement({ search: () => expect.unreachable(), palette: () => undefined });
  const field = document.createElement('textarea');
  document.body.append(field);
  const heard: boolean[] = [];
  field.addEventListener('keydown', (e) => heard.push(press(e)));
  field.dispatchEvent(event(action('search').keys[0] ?? '', { bubbles: true }));
  field.dispatchEvent(event('k', { ctrlKey: true, isComposing: true }));
  field.dispatchEvent(event('k', { ctrlKey: true }));
  expect(heard).toEqual([false, false, true]);
  end();
  field.remove();
});
