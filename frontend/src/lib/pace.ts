// How often the page takes in what has happened.

/** At least this lies between two times, in ms. */
const LEAST = 80;
/** At most this, however slow the machine. */
const MOST = 400;
/** Taking things in and showing them may have this share of a core; typing, scrolling and the model have the rest. */
const SHARE = 0.03;
/** Characters a second, six times what one reads: words that come faster are skimmed at best. */
const SKIMMED = 180;
/** At most this lies between two times while nothing comes but words that are skimmed, in ms. */
const SKIMMED_MOST = 1000;

/** How long the words of a search rest before they are searched for by meaning as well, which takes the embedder; in ms. */
export const WORDS_REST = 250;

/**
 * How long to gather, in ms, where taking in and showing cost so much the last time, in ms. Showing costs the same however
 * many words there are, so what comes at a `pace` nobody reads at, in characters a second, is shown in larger pieces.
 */
export function pauseAfter(cost: number, pace = 0): number {
  const pause = Math.min(MOST, Math.max(LEAST, cost / SHARE - cost));
  return Math.min(Math.max(1, pace / SKIMMED) * pause, SKIMMED_MOST);
}
