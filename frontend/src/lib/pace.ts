// How often the page takes in what has happened.

/** At least this lies between two times, in ms. The words of an answer come eight times a second at most. */
const LEAST = 80;
/** At most this, however slow the machine. */
const MOST = 400;
/** Taking things in may have this share of the time, so that typing and scrolling have the rest. */
const SHARE = 0.05;

/** How long the words of a search rest before they are searched for by meaning as well, which takes the embedder; in ms. */
export const WORDS_REST = 250;

/** How long to gather, in ms, where taking in and showing took so long the last time. */
export const pauseAfter = (took: number): number => Math.min(MOST, Math.max(LEAST, took / SHARE - took));
