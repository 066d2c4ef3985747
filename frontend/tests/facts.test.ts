import { afterEach, expect, test } from 'vitest';
import { keyOf, keyWord } from '../src/lib/facts';
import { setLanguage } from '../src/lib/i18n/index.svelte';

afterEach(() => setLanguage('en'));

const keys = [{ key: 'home' }, { key: 'timezone' }];

test('a key is known in any case, by its own name and by that of the page', () => {
  expect(keyOf(' Home ', keys)?.key).toBe('home');
  expect(keyOf('Time Zone', keys)?.key).toBe('timezone');
  expect(keyOf('favourite tea', keys)).toBeUndefined();
  setLanguage('zh');
  expect(keyOf('住处', keys)?.key).toBe('home');
  expect(keyOf('Home', keys)?.key).toBe('home');
  expect(keyWord('Home')).toBe('住处');
});
