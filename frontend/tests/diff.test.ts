import { describe, expect, test } from 'vitest';
import { changedLines, diffWords, mergeTexts, type Piece } from '../src/lib/diff';

const before = (pieces: Piece[]) =>
  pieces
    .filter((p) => p.kind !== 'added')
    .map((p) => p.text)
    .join('');
const after = (pieces: Piece[]) =>
  pieces
    .filter((p) => p.kind !== 'removed')
    .map((p) => p.text)
    .join('');

/** The same numbers in every run. */
function random(seed: number) {
  return () => {
    seed = (seed * 1664525 + 1013904223) % 4294967296;
    return seed / 4294967296;
  };
}

describe('the words that changed', () => {
  test('one word in a sentence', () => {
    expect(diffWords('Gets the keys on 21 November.', 'Gets the keys on 28 November.')).toEqual([
      { kind: 'same', text: 'Gets the keys on ' },
      { kind: 'removed', text: '21' },
      { kind: 'added', text: '28' },
      { kind: 'same', text: ' November.' },
    ]);
  });

  test('neighbouring words are one change, not a ladder of them', () => {
    expect(diffWords('parks in the cellar', 'parks on a hook')).toEqual([
      { kind: 'same', text: 'parks ' },
      { kind: 'removed', text: 'in the cellar' },
      { kind: 'added', text: 'on a hook' },
    ]);
  });

  test('Chinese changes character by character', () => {
    expect(diffWords('猫叫年糕，六岁', '猫叫年糕，七岁')).toEqual([
      { kind: 'same', text: '猫叫年糕，' },
      { kind: 'removed', text: '六' },
      { kind: 'added', text: '七' },
      { kind: 'same', text: '岁' },
    ]);
  });

  test.each([
    ['', ''],
    ['', 'new'],
    ['old', ''],
    ['same', 'same'],
    ['emoji 👩‍👩‍👧 stays', 'emoji 👩‍👩‍👧 goes'],
    ['\ud800 lone', 'lone \udfff'],
  ])('both texts can be read out of the difference of %j and %j', (a, b) => {
    const pieces = diffWords(a, b);
    expect(before(pieces)).toBe(a);
    expect(after(pieces)).toBe(b);
  });

  test('both texts can be read out of any difference', () => {
    const next = random(7);
    const words = ['a', 'b', 'c', ' ', '\n', '。', '年', 'word', '  '];
    const text = () =>
      Array.from({ length: Math.floor(next() * 40) }, () => words[Math.floor(next() * words.length)]).join('');
    for (let i = 0; i < 500; i++) {
      const a = text();
      const b = text();
      const pieces = diffWords(a, b);
      expect(before(pieces)).toBe(a);
      expect(after(pieces)).toBe(b);
    }
  });

  test('two unlike texts of 100,000 characters do not hang the page', () => {
    const next = random(3);
    const text = () => Array.from({ length: 20_000 }, () => Math.floor(next() * 1e6).toString(36)).join(' ');
    const a = text();
    const b = text();
    const pieces = diffWords(a, b);
    expect(before(pieces)).toBe(a);
    expect(after(pieces)).toBe(b);
  });

  test('only lines that changed are shown', () => {
    const lines = changedLines('one\ntwo\nthree', 'one\ntwo 2\nthree');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContainEqual({ kind: 'same', text: 'two' });
  });
});

describe('merging two changes', () => {
  test('changes to different lines are both kept', () => {
    expect(mergeTexts('cat: six\nbike: Comet', 'cat: six\nbike: Comet, red', 'cat: seven\nbike: Comet')).toBe(
      'cat: seven\nbike: Comet, red',
    );
  });

  test('lines added at the same place are both kept', () => {
    expect(mergeTexts('a', 'a\nmine', 'a\ntheirs')).toBe('a\ntheirs\nmine');
  });

  test('changes to the same line are left to the user', () => {
    expect(mergeTexts('cat: six', 'cat: eight', 'cat: seven')).toBeUndefined();
  });

  test('one line removed here, another changed there', () => {
    expect(mergeTexts('a\nb\nc', 'a\nc', 'a\nb\nC')).toBe('a\nC');
  });
});
