import { describe, expect, test } from 'vitest';
import type { Block, Fact, Revision } from '../src/lib/api.gen';
import { isAsLeft } from '../src/lib/revisions';

const revision = (id: string, after: Partial<Block & Fact> | undefined, subject: Revision['subject'] = 'block') =>
  ({ id, subject, after: after ? JSON.stringify(after) : '' }) as Revision;

describe('a change can be taken back', () => {
  const made = revision('1', { value: 'Likes tea.', version: 2 });
  test('while it is the last one', () => expect(isAsLeft(made, made)).toBe(true));
  test('once later changes have led back to it', () => {
    expect(isAsLeft(made, revision('3', { value: 'Likes tea.', version: 4, tags: [] }))).toBe(true);
  });
  test('not after another one, of whatever it is', () => {
    expect(isAsLeft(made, revision('2', { value: '', version: 3 }))).toBe(false);
    expect(isAsLeft(made, revision('2', { value: 'Likes tea.', pinned: true }))).toBe(false);
  });
  test('not once its subject is deleted, but for that itself', () => {
    expect(isAsLeft(made, revision('2', undefined))).toBe(false);
    expect(isAsLeft(revision('2', undefined), revision('3', undefined))).toBe(true);
    expect(isAsLeft(revision('2', undefined), revision('3', { value: 'Likes tea.' }))).toBe(false);
  });
  test('of a fact: dates that follow from other facts count for nothing', () => {
    const fact = revision('1', { value: 'Comet' }, 'fact');
    expect(isAsLeft(fact, revision('2', { value: 'Comet', valid_to: '2026-01-02', version: 2 }, 'fact'))).toBe(true);
    expect(isAsLeft(fact, revision('2', { value: 'Comet', pinned: true }, 'fact'))).toBe(false);
  });
});
