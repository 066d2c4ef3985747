// Rules for the styles of all components.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

// Read from the disk: what Vitest makes of a style sheet is empty.
const sources = Object.fromEntries(
  readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(svelte|css)$/.test(file))
    .map((file) => [file, readFileSync(`src/${file}`, 'utf8')]),
);
const styles = Object.entries(sources).map(([file, text]) => {
  const css = file.endsWith('.css') ? text : (/<style>([\s\S]*?)<\/style>/.exec(text)?.[1] ?? '');
  return [file, css.replace(/\/\*[\s\S]*?\*\//g, '')] as const;
});

test('sides are named by the way in which one reads, so that the page can run from right to left', () => {
  for (const [file, css] of styles) {
    expect(css, file).not.toMatch(
      /(margin|padding|border)-(left|right)\b|^\s*(left|right):|text-align: (left|right)|float:/m,
    );
    for (const [, values] of css.matchAll(/(?:padding|margin): ([^;]+);/g)) {
      const sides = (values ?? '').match(/(?:[\w-]+\((?:[^()]|\([^()]*\))*\)|[^\s()]+)/g) ?? [];
      if (sides.length === 4) expect(sides[1], `${file}: ${values}`).toBe(sides[3]);
    }
  }
});

test('colours have names, and only tokens.css says what they are', () => {
  for (const [file, css] of styles) {
    if (file === 'tokens.css') continue;
    expect(css, file).not.toMatch(/#[0-9a-f]{3,8}\b(?!.*\{)|\b(rgb|hsl|oklch)a?\(/i);
  }
});

test('no line begins with the sign between its parts', () => {
  for (const [file, text] of Object.entries(sources)) {
    const shown = text.replace(/placeholder="[^"]*"|<title>.*|\/\*[\s\S]*?\*\//g, '');
    expect(shown, file).not.toMatch(/(^\s*|[>}`'] ?)· /m);
  }
});

test('nothing is fetched from a style', () => {
  for (const [file, css] of styles) expect(css, file).not.toMatch(/url\(\s*['"]?(?!data:)|@import/);
});

test('every name of a colour, size or time is used', () => {
  const all = Object.values(sources).join('\n');
  const names = new Set([...all.matchAll(/(--[\w-]+)\s*:/g)].map(([, name]) => name ?? ''));
  for (const [, name] of all.matchAll(/var\(\s*(--[\w-]+)/g)) names.delete(name ?? '');
  expect([...names]).toEqual([]);
});
