import { expect, test } from 'vitest';
import type { Feedback } from '../src/lib/api.gen';
import { fillOf, layerOf, placeOf, steps, useOf } from '../src/lib/receipts';

const wish = (use: Feedback['use'], conversation_id = ''): Feedback => ({
  id: `feedback-${use}`,
  agent_id: 'agent-1',
  conversation_id,
  kind: 'passage',
  item_id: 'passage-1',
  use,
  text: 'Comet',
  created_at: '2026-11-30T00:00:00Z',
});
const item = { kind: 'passage', id: 'passage-1' };

test('“never here” is of one conversation and beats what is wanted everywhere', () => {
  const list = [wish('always'), wish('never', 'conversation-1')];
  expect(useOf(list, item, 'conversation-1')).toBe('never');
  expect(useOf(list, item, 'conversation-2')).toBe('always');
  expect(useOf(list, item, '')).toBe('always');
  expect(useOf(list, { kind: 'message', id: 'passage-1' }, 'conversation-1')).toBe('');
});

test('from one wish to another in as few steps as it takes', () => {
  expect(steps('less', 'less', 'c')).toEqual([]);
  expect(steps('', 'always', 'c')).toEqual([{ use: 'always' }]);
  expect(steps('always', '', 'c')).toEqual([{ use: '' }]);
  expect(steps('less', 'never', 'c')).toEqual([{ use: 'never', conversation_id: 'c' }]);
  expect(steps('never', 'less', 'c')).toEqual([{ use: '', conversation_id: 'c' }, { use: 'less' }]);
});

test('a candidate leads to where it can be read, and has the pattern of its layer', () => {
  expect(placeOf({ kind: 'message', id: 'm', conversation_id: 'c' })).toEqual({
    place: 'chat',
    id: 'c',
    query: { m: 'm' },
  });
  expect(placeOf({ kind: 'message', id: 'm' })).toBeUndefined(); // an old receipt does not know where
  expect(placeOf({ kind: 'passage', id: 'p' })?.query).toEqual({ passage: 'p' });
  const old = { kind: 'passage', id: 'p' } as Parameters<typeof fillOf>[0];
  expect([layerOf(old), fillOf(old)]).toEqual(['passage', 'fill-archive']);
  expect(fillOf({ ...old, kind: 'message' })).toBe('fill-transcript');
  expect(fillOf({ ...old, layer: 'document' })).toBe('fill-archive');
});
