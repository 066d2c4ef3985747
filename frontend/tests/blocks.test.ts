import { describe, expect, test } from 'vitest';
import type { Block, Core, CoreBlock } from '../src/lib/api.gen';
import { changedFields, moved, restoring, withSize } from '../src/lib/blocks';

const block = (over: Partial<CoreBlock> = {}): CoreBlock => ({
  id: 'b',
  label: 'human',
  value: 'Likes tea.',
  description: '',
  limit: 2000,
  read_only: false,
  pinned: false,
  tags: [],
  version: 3,
  created_at: '',
  updated_at: '',
  tokens: 20,
  chars: 10,
  agents: [],
  ...over,
});
const core = (blocks: CoreBlock[]): Core => ({
  blocks,
  tokens: blocks.reduce((sum, b) => sum + b.tokens, 0),
  budget: 1000,
  window: 4000,
  share: 0.25,
  warn: 0.8,
  exact: true,
});

test('the gauge follows a block that is being written, once it was counted', () => {
  const before = core([block(), block({ id: 'c', tokens: 30 })]);
  const size = { id: 'c', chars: 99, tokens: undefined, total: undefined };
  expect(withSize(before, undefined)).toBe(before);
  expect(withSize(before, size)).toBe(before);
  const after = withSize(before, { ...size, tokens: 80, total: 100 });
  expect([after.tokens, ...after.blocks.map((b) => b.tokens)]).toEqual([100, 20, 80]);
  // A block of another agent does not fill this one.
  expect(withSize(before, { id: 'x', chars: 1, tokens: 80, total: 130 })).toBe(before);
});

test('a block moves one place at a time and not past the ends', () => {
  expect(moved(['a', 'b', 'c'], 'b', -1)).toEqual(['b', 'a', 'c']);
  expect(moved(['a', 'b', 'c'], 'b', 1)).toEqual(['a', 'c', 'b']);
  expect(moved(['a', 'b', 'c'], 'a', -1)).toBeUndefined();
  expect(moved(['a', 'b', 'c'], 'c', 1)).toBeUndefined();
  expect(moved(['a'], 'x', 1)).toBeUndefined();
});

describe('versions of a block', () => {
  const now = block();
  const old: Block = { ...now, value: 'Likes coffee.', limit: 100, pinned: true };

  test('say what else than the text changed', () => {
    expect(changedFields(JSON.stringify(old), JSON.stringify(now))).toEqual([
      { field: 'limit', from: '100', to: '2000' },
      { field: 'pinned', from: 'true', to: 'false' },
    ]);
    expect(changedFields('', JSON.stringify(now))).toEqual([]);
  });

  test('can be restored whole', () => {
    expect(restoring(JSON.stringify(old), now)).toMatchObject({ value: 'Likes coffee.', limit: 100, pinned: true });
    expect(restoring(JSON.stringify(now), now)).toBeUndefined();
    expect(restoring('', now)).toBeUndefined();
  });
});
