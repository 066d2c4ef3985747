// The hues of tokens.css, in both themes: each can be shown, text and shapes stand out from every ground they meet, and
// layers and actors are told apart with any of the three common deficiencies of colour vision.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

type Triple = [number, number, number];

const css = readFileSync('src/tokens.css', 'utf8');

/** The colours of one rule, as lightness, chroma and hue in degrees. */
function tokens(selector: string): Map<string, Triple> {
  const start = css.indexOf(`${selector} {`);
  const body = css.slice(start, css.indexOf('\n}', start));
  const found = body.matchAll(/--([\w-]+):\s*oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)/g);
  return new Map([...found].map(([, name, l, c, h]) => [String(name), [Number(l), Number(c), Number(h)]]));
}

const product = (rows: readonly Triple[], v: Triple): Triple =>
  rows.map((row) => row[0] * v[0] + row[1] * v[1] + row[2] * v[2]) as Triple;

function lab([l, c, h]: Triple): Triple {
  const angle = (h * Math.PI) / 180;
  return [l, c * Math.cos(angle), c * Math.sin(angle)];
}

/** OKLab to linear sRGB (B. Ottosson). */
function rgb(color: Triple): Triple {
  const cones = product(
    [
      [1, 0.3963377774, 0.2158037573],
      [1, -0.1055613458, -0.0638541728],
      [1, -0.0894841775, -1.291485548],
    ],
    color,
  ).map((x) => x ** 3) as Triple;
  return product(
    [
      [4.0767416621, -3.3077115913, 0.2309699292],
      [-1.2684380046, 2.6097574011, -0.3413193965],
      [-0.0041960863, -0.7034186147, 1.707614701],
    ],
    cones,
  );
}

/** Linear sRGB to OKLab. */
function perceived(color: Triple): Triple {
  const cones = product(
    [
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005],
    ],
    color,
  ).map(Math.cbrt) as Triple;
  return product(
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ],
    cones,
  );
}

const clip = (v: Triple): Triple => v.map((x) => Math.min(1, Math.max(0, x))) as Triple;
const luminance = (color: Triple): number => {
  const [r, g, b] = clip(rgb(color));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
/** Contrast as WCAG 2 counts it. */
function contrast(a: Triple, b: Triple): number {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}
const mix = (a: Triple, b: Triple, share: number): Triple =>
  a.map((x, i) => x * share + (b[i] ?? 0) * (1 - share)) as Triple;

// Machado, Oliveira and Fernandes 2009, full severity, on linear sRGB.
const sights: Record<string, readonly Triple[]> = {
  'usual sight': [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

const layers = ['layer-core', 'layer-topic', 'layer-archive', 'layer-transcript'];
const actors = ['actor-you', 'actor-model', 'actor-system'];
const hues = [...layers, ...actors, 'alarm'];
const grounds = ['bg', 'bg-side', 'surface', 'raised'];

describe.each([
  ['light', ':root', 0.11, 0.09],
  ['dark', ":root[data-theme='dark']", 0.16, 0.11],
])('in the %s theme', (_, selector, tint, selected) => {
  const all = tokens(selector);
  const color = (name: string): Triple => {
    const found = all.get(name);
    if (!found) throw new Error(`tokens.css has no --${name} here`);
    return lab(found);
  };
  const pairs = (names: string[], on: Triple[]) =>
    names.flatMap((name) => on.map((ground) => [name, contrast(color(name), ground)] as const));
  const atLeast = (least: number, names: string[], on: Triple[]) => {
    for (const [name, got] of pairs(names, on)) expect(got, name).toBeGreaterThanOrEqual(least);
  };
  const plain = grounds.map(color);
  const washes = hues.map((name) => mix(color(name), color('bg'), tint));
  const rows = [color('bg'), color('bg-side')].map((ground) => mix(color('ink'), ground, selected));

  test('the shares of tints are those that are written there', () => {
    const start = css.indexOf(`${selector} {`);
    const body = css.slice(start, css.indexOf('\n}', start));
    expect(body).toContain(`--tint: ${tint * 100}%`);
    expect(body).toMatch(new RegExp(`--selected: oklch\\([^/]+/ ${selected}\\)`));
  });

  test('every colour can be shown', () => {
    for (const [name, value] of all) {
      for (const part of rgb(lab(value))) {
        expect(part, name).toBeGreaterThan(-0.002);
        expect(part, name).toBeLessThan(1.002);
      }
    }
  });

  test('text stands out from every ground', () => {
    atLeast(4.5, ['ink', 'ink-2', 'ink-3', ...hues], plain);
    atLeast(4.5, ['ink', 'ink-2', 'ink-3'], rows);
    atLeast(4.5, ['ink', 'ink-2'], washes);
    atLeast(4.5, ['on-ink'], [color('ink'), color('ink-2')]);
  });

  test('shapes stand out from every ground', () => {
    atLeast(3, [...hues, 'line-strong', 'part-system', 'part-tools', 'part-reserve'], plain);
    atLeast(3, [...layers, ...actors], rows);
  });

  test.each([
    ['layers', layers],
    ['actors', actors],
  ])('%s have one lightness, and no two look alike to anyone', (_, names) => {
    expect(new Set(names.map((name) => all.get(name)?.[0])).size).toBe(1);
    for (const [sight, matrix] of Object.entries(sights)) {
      const seen = names.map((name) => perceived(clip(product(matrix, clip(rgb(color(name)))))));
      seen.forEach((a, i) =>
        seen.slice(i + 1).forEach((b, j) => {
          const apart = 100 * Math.hypot(...a.map((x, k) => x - (b[k] ?? 0)));
          expect(apart, `${names[i]} and ${names[i + 1 + j]}, ${sight}`).toBeGreaterThanOrEqual(5);
        }),
      );
    }
  });
});
