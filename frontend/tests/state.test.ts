import { describe, expect, test } from 'vitest';
import type { Agent, BusEvent, Conversation, Message, Snapshot } from '../src/lib/api.gen';
import {
  appendMessage,
  applySnapshot,
  codePoints,
  dropGone,
  emptyState,
  mark,
  place,
  putFetched,
  putMessage,
  putThread,
  reduce,
  setStale,
  type State,
} from '../src/lib/state';

const snapshot = (over: Partial<Snapshot> = {}): Snapshot => ({
  epoch: 'one',
  seq: 10,
  version: '0.1.0',
  reset: true,
  events: [],
  engine: { state: 'ready', loopback: true, models: 1, since: '' },
  settings: {},
  agents: [],
  sample: '',
  conversations: [],
  next: '',
  platform: { os: 'linux', desktop: false, home: '' },
  running: [],
  jobs: [],
  ...over,
});

const message = (id: string, over: Partial<Message> = {}): Message => ({
  id,
  conversation_id: 'c',
  agent_id: 'a',
  parent_id: '',
  turn_id: '',
  role: 'user',
  content: '',
  status: 'complete',
  tokens: 0,
  siblings: [id],
  revision_ids: [],
  created_at: '2026-11-29T12:00:00Z',
  ...over,
});

let seq = 10;
function event<T extends BusEvent['type']>(type: T, data: Extract<BusEvent, { type: T }>['data']): BusEvent {
  return { seq: ++seq, type, at: '2026-11-29T12:00:01Z', data } as BusEvent;
}
const fold = (state: State, ...events: BusEvent[]) => events.reduce(reduce, state);
const delta = (offset: number, text: string, kind: 'content' | 'thinking' = 'content') =>
  event('message.delta', { id: 'answer', conversation_id: 'c', kind, offset, text });

/** A conversation with one question, its answer just begun. */
function asked(): State {
  seq = 10;
  const state = applySnapshot(emptyState, snapshot());
  return fold(
    putThread(state, 'c', { messages: [message('question')], more: false, newer: false }),
    event('message.created', { id: 'answer', conversation_id: 'c', role: 'assistant', parent_id: 'question' }),
  );
}
const written = (state: State) => state.streams['answer']?.content.text;

describe('an answer that is being written', () => {
  test('shows before it has been fetched', () => {
    const state = asked();
    expect(state.threads['c']?.messages.map((m) => m.id)).toEqual(['question', 'answer']);
    expect(state.threads['c']?.messages[1]?.status).toBe('streaming');
  });

  test('grows by its pieces', () => {
    expect(written(fold(asked(), delta(0, 'Hello'), delta(5, ', Mina')))).toBe('Hello, Mina');
  });

  test('offsets count code points, as the other side does', () => {
    const state = fold(asked(), delta(0, '年糕🐈'), delta(3, '叫'), delta(4, '👩‍👩‍👧'), delta(9, '。'));
    expect(written(state)).toBe('年糕🐈叫👩‍👩‍👧。');
  });

  test('a piece that comes twice is written once', () => {
    const state = fold(asked(), delta(0, 'Hello'), delta(0, 'Hello'), delta(3, 'lo there'), delta(0, 'He'));
    expect(written(state)).toBe('Hello there');
  });

  test('thinking and content do not mix', () => {
    const state = fold(asked(), delta(0, 'hm', 'thinking'), delta(0, 'Yes'), delta(2, '…', 'thinking'));
    expect(written(state)).toBe('Yes');
    expect(state.streams['answer']?.thinking.text).toBe('hm…');
  });

  test('words that were missed are asked for, and the later ones wait', () => {
    const before = asked();
    const gap = fold(before, delta(6, 'world'));
    expect(written(gap)).toBe('');
    expect(gap.marks[mark.message('answer')]).toBe((before.marks[mark.message('answer')] ?? 0) + 1);
    const fetched = putMessage(gap, message('answer', { role: 'assistant', status: 'streaming', content: 'Hello ' }));
    expect(written(fetched)).toBe('Hello world');
  });

  test('what is fetched never takes back words that already came', () => {
    const ahead = fold(asked(), delta(0, 'Hello world'));
    const fetched = putMessage(ahead, message('answer', { role: 'assistant', status: 'streaming', content: 'Hello' }));
    expect(written(fetched)).toBe('Hello world');
  });

  test('the stored text takes its place when it is done', () => {
    const state = fold(asked(), delta(0, 'Hello'));
    const done = putMessage(state, message('answer', { role: 'assistant', content: 'Hello.' }));
    expect(done.streams['answer']).toBeUndefined();
    expect(done.threads['c']?.messages[1]?.content).toBe('Hello.');
  });

  test('progress of the turn comes and goes', () => {
    const progress = {
      conversation_id: 'c',
      message_id: 'answer',
      phase: 'reading' as const,
      read: 1240,
      total: 3856,
      eta_ms: 9000,
      elapsed_ms: 3000,
      detail: '',
      queued: [],
    };
    const reading = fold(asked(), event('turn.progress', progress));
    expect(reading.turns['c']?.read).toBe(1240);
    const done = fold(reading, event('turn.done', { conversation_id: 'c', message_id: 'answer', status: 'complete' }));
    expect(done.turns['c']).toBeUndefined();
    expect(done.marks[mark.thread('c')]).toBeGreaterThan(reading.marks[mark.thread('c')] ?? 0);
  });
});

describe('the order of events', () => {
  test('old ones are dropped, the next is folded, a gap needs a snapshot', () => {
    const state = applySnapshot(emptyState, snapshot({ seq: 10 }));
    const at = (n: number) => ({ ...event('settings.changed', { key: 'theme' }), seq: n }) as BusEvent;
    expect(place(state, at(10))).toBe('old');
    expect(place(state, at(11))).toBe('next');
    expect(place(state, at(13))).toBe('gap');
  });

  test('the same events give the same state', () => {
    const begin = asked();
    const run = [
      delta(0, 'Hel'),
      delta(3, 'lo'),
      event('conversation.changed', { conversation_id: 'c', agent_id: 'a' }),
    ];
    expect(fold(begin, ...run)).toEqual(fold(begin, ...run));
  });

  test('no event changes the state it is folded into', () => {
    const begin = asked();
    const copy = structuredClone(begin);
    fold(begin, delta(0, 'Hello'), event('embed.progress', { pending: 3, total: 9, model: 'e5' }));
    expect(begin).toEqual(copy);
  });

  test('an event of a newer version is passed over', () => {
    const state = asked();
    const unknown = { seq: state.seq + 1, type: 'from.the.future', at: '', data: {} } as unknown as BusEvent;
    expect(reduce(state, unknown)).toEqual({ ...state, seq: state.seq + 1 });
  });
});

describe('after a gap', () => {
  test('everything that is shown is fetched anew, also what never had an event', () => {
    const state = asked();
    const again = applySnapshot(state, snapshot({ seq: 50 }));
    expect(again.seq).toBe(50);
    expect(again.snapshots).toBe(state.snapshots + 1);
  });

  test('words of another process are forgotten', () => {
    const state = fold(asked(), delta(0, 'Hello'));
    expect(applySnapshot(state, snapshot()).streams).toEqual(state.streams);
    expect(applySnapshot(state, snapshot({ epoch: 'two' })).streams).toEqual({});
  });
});

describe('memory', () => {
  test('a change of a block concerns every agent that has it, and its history', () => {
    const state = fold(
      asked(),
      event('block.changed', {
        block_id: 'b',
        label: 'human',
        revision_id: 'r',
        actor: 'model',
        agent_ids: ['a', 'b'],
      }),
    );
    expect(state.marks).toMatchObject({ [mark.core('a')]: 1, [mark.core('b')]: 1, [mark.subject('b')]: 1 });
  });

  test('a change that a message caused shows at that message', () => {
    const before = asked();
    const state = fold(
      before,
      event('passage.changed', {
        passage_id: 'p',
        archive_id: 'x',
        label: 'A passage',
        revision_id: 'r',
        actor: 'model',
        message_id: 'answer',
      }),
    );
    expect(state.marks[mark.thread('c')]).toBeGreaterThan(before.marks[mark.thread('c')] ?? 0);
  });
});

describe('fetched pages', () => {
  const ids = (state: State) => state.threads['c']?.messages.map((m) => m.id);
  const page = (names: string[], more = false, newer = false) => ({
    messages: names.map((n) => message(n)),
    more,
    newer,
  });

  test('older messages go in front', () => {
    const state = putThread(applySnapshot(emptyState, snapshot()), 'c', page(['3', '4'], true));
    expect(ids(putThread(state, 'c', page(['1', '2']), 'older'))).toEqual(['1', '2', '3', '4']);
  });

  test('the newest page keeps what was fetched further back', () => {
    let state = putThread(applySnapshot(emptyState, snapshot()), 'c', page(['1', '2', '3'], true));
    state = putThread(state, 'c', page(['2', '3', '4'], true));
    expect(ids(state)).toEqual(['1', '2', '3', '4']);
  });

  test('far from the end, what is at the other end is let go, and comes back', () => {
    const names = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => String(from + i));
    let state = putThread(applySnapshot(emptyState, snapshot()), 'c', page(names(900, 1000), true));
    for (let at = 900; at > 500; at -= 100) state = putThread(state, 'c', page(names(at - 100, at), true), 'older');
    expect(ids(state)).toEqual(names(500, 700));
    expect(state.threads['c']).toMatchObject({ more: true, newer: true });
    // Nothing is added to the end while it is not here.
    expect(ids(appendMessage(state, message('1000')))).toEqual(names(500, 700));
    state = putThread(state, 'c', page(names(700, 800), true, true), 'newer');
    expect(ids(state)).toEqual(names(600, 800));
    state = putThread(state, 'c', page(names(800, 1000), true, false), 'newer');
    expect(state.threads['c']).toMatchObject({ more: true, newer: false });
  });

  test('threads that were left long ago are let go', () => {
    let state = applySnapshot(emptyState, snapshot());
    for (let n = 0; n < 20; n++) state = putThread(state, `c${n}`, page(['1']));
    expect(Object.keys(state.threads)).toEqual(['c14', 'c15', 'c16', 'c17', 'c18', 'c19']);
  });

  test('another branch takes the place of the old one', () => {
    let state = putThread(applySnapshot(emptyState, snapshot()), 'c', page(['1', '2', '3']));
    state = putThread(state, 'c', page(['1', '2b']));
    expect(ids(state)).toEqual(['1', '2b']);
  });

  test('a sent message is shown once, whichever comes first', () => {
    let state = putThread(applySnapshot(emptyState, snapshot()), 'c', page(['1']));
    state = appendMessage(state, message('2'));
    state = appendMessage(state, message('2'));
    expect(ids(state)).toEqual(['1', '2']);
  });
});

describe('models', () => {
  test('a pull reports until it is done, and then the list is fetched', () => {
    const progress = {
      job: 'j',
      kind: 'pull' as const,
      model: 'qwen3:4b',
      status: 'pulling',
      total: 100,
      bytes_per_s: 1,
      eta_s: 1,
    };
    const half = fold(asked(), event('model.progress', { ...progress, state: 'running', completed: 50 }));
    expect(half.jobs['j']?.completed).toBe(50);
    const done = fold(half, event('model.progress', { ...progress, state: 'done', completed: 100 }));
    expect(done.jobs['j']?.state).toBe('done');
    expect(done.marks[mark.models]).toBeGreaterThan(half.marks[mark.models] ?? 0);
  });

  test('the end of embedding clears its line', () => {
    let state = fold(asked(), event('embed.progress', { pending: 3, total: 9, model: 'e5' }));
    state = fold(state, event('embed.progress', { pending: 2, total: 4, model: 'minilm' }));
    expect(state.embedding['e5']?.pending).toBe(3);
    state = fold(state, event('embed.progress', { pending: 0, total: 9, model: 'e5' }));
    expect(Object.keys(state.embedding)).toEqual(['minilm']);
  });
});

test.each(['', 'abc', '年糕', '🐈', '👩‍👩‍👧x', '\ud800', '\udfff\ud800'])('code points of %j', (text) => {
  expect(codePoints(text)).toBe(Array.from(text).length);
});

describe('damage', () => {
  test('is known to a page that comes after the check, and to one that is there', () => {
    const problem = { code: 'ECORRUPT', message: 'page 7', remedy: 'restore' } as const;
    expect(applySnapshot(emptyState, snapshot({ damage: problem })).damage).toEqual(problem);
    const state = applySnapshot(emptyState, snapshot());
    expect(state.damage).toBeNull();
    const told = reduce(state, event('notice', { level: 'error', code: 'database_damaged', text: 'page 7' }));
    expect(told.damage).toEqual(problem);
    expect(reduce(told, event('notice', { level: 'warn', code: 'other', text: '' })).damage).toEqual(problem);
  });
});

describe('conversations', () => {
  const conversation = (id: string, updated_at: string, over: Partial<Conversation> = {}): Conversation => ({
    id,
    agent_id: 'a',
    title: id,
    title_by: 'system',
    head: '',
    pinned: false,
    created_at: updated_at,
    updated_at,
    ...over,
  });
  const older = conversation('older', '2026-11-01T00:00:00Z');
  const newer = conversation('newer', '2026-11-02T00:00:00Z');

  test('a change, a message and the end of a turn each ask for the conversation anew', () => {
    const state = putFetched(applySnapshot(emptyState, snapshot()), [older, newer]);
    seq = 10;
    const changed = fold(
      state,
      event('conversation.changed', { conversation_id: 'older', agent_id: 'a' }),
      event('message.created', { id: 'm', conversation_id: 'newer', role: 'user', parent_id: '' }),
    );
    expect([...changed.stale]).toEqual(['older', 'newer']);
    expect(changed.marks[mark.conversations]).toBeGreaterThan(state.marks[mark.conversations] ?? 0);
    // One that changes again while it is fetched is fetched once more.
    const again = fold(
      setStale(changed, []),
      event('conversation.changed', { conversation_id: 'older', agent_id: 'a' }),
    );
    const fetched = putFetched(again, [{ ...older, updated_at: '2026-11-03T00:00:00Z' }]);
    expect(fetched.conversations.map((c) => c.id)).toEqual(['older', 'newer']);
    expect([...fetched.stale]).toEqual(['older']);
    const gone = dropGone(fetched, new Set(['newer']));
    expect(gone.conversations.map((c) => c.id)).toEqual(['older']);
  });

  test('a snapshot brings the newest, and those that were fetched before stay', () => {
    const state = putFetched(applySnapshot(emptyState, snapshot()), [older]);
    const again = applySnapshot(state, snapshot({ conversations: [newer] }));
    expect(again.conversations.map((c) => c.id)).toEqual(['newer', 'older']);
  });
});

test('a change of an agent concerns the core memory of all: they may share its blocks', () => {
  const agents = ['a', 'b'].map((id) => ({ id }) as Agent);
  seq = 10;
  const before = applySnapshot(emptyState, snapshot({ agents }));
  const after = fold(before, event('agent.changed', { agent_id: 'a', deleted: true }));
  for (const id of ['a', 'b']) expect(after.marks[mark.core(id)]).toBeGreaterThan(before.marks[mark.core(id)] ?? 0);
});
