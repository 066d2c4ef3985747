import { expect, test } from 'vitest';
import type { Message, Usage } from '../src/lib/api.gen';
import { entries, thought, windowStart, withoutAnswer } from '../src/lib/thread';

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

test('thinking has its time, and its share of the tokens', () => {
  const usage: Usage = {
    prompt_tokens: 0,
    cached_tokens: 0,
    output_tokens: 120,
    prompt_ms: 0,
    output_ms: 0,
    load_ms: 0,
    first_token_ms: 0,
    thinking_ms: 3000,
    estimate_tokens: 0,
    truncated: false,
  };
  const thinking = 'x'.repeat(30);
  const step = (over: Partial<Message>) => message('a', 'assistant', { thinking, usage, ...over });
  expect(thought(step({ content: 'x'.repeat(10) }))).toEqual({ ms: 3000, tokens: 90, exact: false });
  expect(thought(step({ content: '' }))).toEqual({ ms: 3000, tokens: 120, exact: true });
  const calls = [{ id: 'call', name: 'tool', arguments: '{"a":1}' }];
  expect(thought(step({ content: '', tool_calls: calls }))?.exact).toBe(false);
  // One that was continued has thoughts of an earlier request.
  expect(thought(step({ usage: { ...usage, thinking_ms: undefined } }))).toBeUndefined();
  expect(thought(step({ usage: undefined }))).toBeUndefined();
});
