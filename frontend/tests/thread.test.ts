import { expect, test } from 'vitest';
import type { Message } from '../src/lib/api.gen';
import { entries, windowStart, withoutAnswer } from '../src/lib/thread';

const message = (id: string, role: Message['role'], over: Partial<Message> = {}): Message => ({
  id,
  conversation_id: 'c',
  agent_id: 'a',
  parent_id: '',
  turn_id: '',
  role,
  content: id,
  status: 'complete',
  tokens: 0,
  siblings: [],
  revision_ids: [],
  created_at: '',
  ...over,
});

const turn = [
  message('q1', 'user'),
  message('step1', 'assistant', { tool_calls: [{ id: 'call', name: 'core_memory_append', arguments: '{}' }] }),
  message('result', 'tool', { tool_call_id: 'call' }),
  message('step2', 'assistant'),
  message('q2', 'user'),
  message('a2', 'assistant'),
];

test('the steps of a turn are one answer, with the results of its tools', () => {
  const list = entries(turn);
  expect(list.map((e) => e.kind)).toEqual(['user', 'answer', 'user', 'answer']);
  const answer = list[1];
  if (answer?.kind !== 'answer') throw new Error('no answer');
  expect(answer.steps.map((s) => s.id)).toEqual(['step1', 'step2']);
  expect(answer.results.get('call')?.id).toBe('result');
  expect(answer.last.id).toBe('step2');
});

test('the window begins at the message the plan names', () => {
  const list = entries(turn);
  expect(windowStart(list, '')).toBe(0);
  expect(windowStart(list, 'q1')).toBe(0);
  expect(windowStart(list, 'q2')).toBe(2);
  expect(windowStart(list, 'step2')).toBe(1);
  expect(windowStart(list, 'not loaded')).toBe(0);
});

test('a message at the end without an answer is found, so that it can be answered', () => {
  expect(withoutAnswer(entries([]))).toBe('');
  expect(withoutAnswer(entries(turn))).toBe('');
  expect(withoutAnswer(entries([...turn, message('q3', 'user')]))).toBe('q3');
});
