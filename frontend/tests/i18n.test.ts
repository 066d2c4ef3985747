import { expect, test } from 'vitest';
import { between, Format, sanitizeLocale } from '../src/lib/format';
import { en } from '../src/lib/i18n/en';
import { resolveLanguage, setLanguage, type Language } from '../src/lib/i18n/index.svelte';
import { zh } from '../src/lib/i18n/zh';

type Words = Record<string, unknown>;

/** Every text of a dictionary by its key; functions are called with stand-ins. */
function texts(words: Words, prefix = ''): [string, string][] {
  return Object.entries(words).flatMap(([key, value]) => {
    if (typeof value === 'string') return [[prefix + key, value] as [string, string]];
    if (typeof value === 'function') {
      const said = (value as (...args: unknown[]) => string)('A1', 'B2', 'C3');
      return [[prefix + key, said] as [string, string]];
    }
    return texts(value as Words, `${prefix}${key}.`);
  });
}

/** The words that parts of the page carry themselves. */
const parts = import.meta.glob<{ default: () => Words }>('../src/lib/i18n/*.words.ts', { eager: true });

/** The code of the page, but for its words. */
const sources = import.meta.glob<string>(
  ['../src/**/*.{svelte,ts}', '!../src/lib/i18n/*.words.ts', '!../src/lib/i18n/{en,zh}.ts'],
  {
    eager: true,
    import: 'default',
    query: '?raw',
  },
);

/** Everything the page can say in one language. */
function all(language: Language): [string, string][] {
  setLanguage(language);
  const own = Object.entries(parts).map(([file, part]) => {
    const name = /([^/]+)\.words\.ts$/.exec(file)?.[1] ?? file;
    return texts(part.default(), `${name}.`);
  });
  return [...texts(language === 'zh' ? zh : en), ...own.flat()];
}

test('both languages have the same words, none of them empty', () => {
  const english = all('en');
  const chinese = all('zh');
  expect(chinese.map(([key]) => key)).toEqual(english.map(([key]) => key));
  for (const [key, text] of [...english, ...chinese]) expect(text.trim(), key).not.toBe('');
});

test('Chinese is written in Chinese', () => {
  // Names, signs and figures are the same in both languages.
  const same = new Set([
    'otherLanguage',
    'locale',
    'languageToggle',
    'branch',
    'embedders.comma',
    'ofTokens',
    'charsOf',
    'bytesOf',
    'tokens',
    'coreOf',
    'tokensHead',
    'tokensExact',
  ]);
  for (const [key, text] of all('zh')) {
    if (!same.has(key)) expect(text, key).toMatch(/\p{Script=Han}/u);
  }
});

test('each word is used: somewhere by its name, or as the name of what it is about', () => {
  const named = Object.values(sources).flatMap((code) => code.match(/(?<=[.'"`])\w+|(?<=^\s*)\w+(?=:)/gm) ?? []);
  const used = new Set(named);
  const dictionaries = [en, ...Object.values(parts).map((part) => part.default())];
  expect(dictionaries.flatMap(Object.keys).filter((key) => !used.has(key))).toEqual([]);
});

test('what a text is about appears in it, in both languages', () => {
  for (const words of [en, zh]) {
    expect(words.recalled('2', '29')).toMatch(/2.*29/);
    expect(words.phaseReading('1,240', '3,856')).toMatch(/1,240.*3,856/);
    expect(words.tooLong('9,000', '3,700')).toMatch(/9,000.*3,700/);
    expect(words.conversationDeleted('Comet')).toContain('Comet');
  }
});

test('no exclamation marks, no "Oops"', () => {
  for (const [key, text] of [...all('en'), ...all('zh')]) expect(text, key).not.toMatch(/[!！]|oops/i);
});

test.each([
  ['C', 'en'],
  ['POSIX', 'en'],
  ['', 'en'],
  [undefined, 'en'],
  ['zh_CN.UTF-8', 'zh-CN'],
  ['en-us', 'en-US'],
  ['not a locale', 'en'],
])('the locale %j becomes %s, which Intl accepts', (tag, expected) => {
  expect(['en', sanitizeLocale(tag)]).toContain(expected);
  expect(() => new Intl.NumberFormat(sanitizeLocale(tag))).not.toThrow();
});

test.each([
  ['zh', ['en-US'], 'zh'],
  ['en', ['zh-CN'], 'en'],
  [undefined, ['zh-TW'], 'zh'],
  [undefined, ['de-DE'], 'en'],
  [undefined, ['C'], 'en'],
  ['xx', [], 'en'],
])('setting %j under a system in %j is shown in %s', (setting, system, expected) => {
  expect(resolveLanguage(setting, system)).toBe(expected);
});

test('numbers are written as people write them', () => {
  const en = new Format('en');
  const zh = new Format('zh-CN');
  expect(en.number(1234)).toBe('1,234');
  expect(en.percent(0.624)).toBe('62 %');
  expect(zh.percent(0.624)).toBe('62%');
  expect(en.percent(0.999)).toBe('99 %');
  expect(en.percent(1.2)).toBe('120 %');
  expect(en.bytes(1_400_000_000)).toBe('1.4 GB');
  expect(en.bytes(98_000_000)).toBe('98 MB');
  expect(en.duration(31)).toBe('31 ms');
  expect(en.duration(9_000)).toBe('9 s');
  expect(en.duration(85_000)).toBe('1 min 25 s');
  expect(zh.duration(9_000)).toBe('9 秒');
});

test('between Chinese words a name stands by itself where it is not Chinese', () => {
  expect(['小老师', 'Recollect', '小老师、Ada'].map(between)).toEqual(['小老师', ' Recollect ', '小老师、Ada ']);
});

test('a day of another year says which', () => {
  const now = new Date('2026-11-29T12:00:00');
  expect(new Format('en').longDay('2026-11-14T11:55:00', now)).not.toContain('2026');
  expect(new Format('en').longDay('2025-11-14T11:55:00', now)).toMatch(/Friday.*14 November 2025/);
  expect(new Format('zh-CN').longDay('2025-11-14T11:55:00', now)).toContain('2025年11月14日');
});

test('times are relative under a day and dated after', () => {
  const now = new Date('2026-11-29T12:00:00');
  const en = new Format('en');
  expect(en.ago('2026-11-29T11:55:00', now)).toMatch(/5 min/);
  expect(en.ago('2026-11-14T11:55:00', now)).toBe('14 Nov');
  expect(en.ago('2025-11-14T11:55:00', now)).toBe('14 Nov 2025');
  expect(en.ago('no date', now)).toBe('');
});
