// What charts are drawn from. Nothing here knows what is drawn.

/** Even steps from 0 to at least `most`, about so many, each a round number. */
export function steps(most: number, about = 4): number[] {
  if (!(most > 0)) return [0, 1];
  const raw = most / about;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = ([1, 2, 5, 10].find((n) => n * power >= raw) ?? 10) * power;
  const whole = Math.max(1, step);
  return Array.from({ length: Math.ceil(most / whole) + 1 }, (_, i) => i * whole);
}

/** Which of so many places along an axis are named: about `about` of them, the first among them. */
export function named(count: number, about: number): number[] {
  const every = Math.max(1, Math.ceil(count / Math.max(1, about)));
  return Array.from({ length: Math.ceil(count / every) }, (_, i) => i * every);
}
