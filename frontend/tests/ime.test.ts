import { expect, test } from 'vitest';
import { isSubmit } from '../src/lib/ime';

const press = (init: KeyboardEventInit & { keyCode?: number }) =>
  new KeyboardEvent('keydown', { key: 'Enter', ...init });

test('Enter sends, Shift Enter does not', () => {
  expect(isSubmit(press({}))).toBe(true);
  expect(isSubmit(press({ shiftKey: true }))).toBe(false);
  expect(isSubmit(press({ key: 'a' }))).toBe(false);
});

test('Enter that chooses a candidate of an input method does not send', () => {
  expect(isSubmit(press({ isComposing: true }))).toBe(false);
});

test('nor does the Enter that WebKit reports after the composition, with key code 229', () => {
  expect(isSubmit(press({ keyCode: 229 }))).toBe(false);
});

test('with Ctrl Enter set, plain Enter makes a new line', () => {
  expect(isSubmit(press({}), 'mod_enter')).toBe(false);
  expect(isSubmit(press({ ctrlKey: true }), 'mod_enter')).toBe(true);
  expect(isSubmit(press({ metaKey: true }), 'mod_enter')).toBe(true);
  expect(isSubmit(press({ ctrlKey: true, isComposing: true }), 'mod_enter')).toBe(false);
});
