import { afterEach, describe, expect, test, vi } from 'vitest';
import type { BusEvent } from '../src/lib/api.gen';
import { app } from '../src/lib/app.svelte';
import { toasts } from '../src/lib/toasts.svelte';
import { pending } from './pending';

afterEach(() => {
  for (const { id } of toasts.list) toasts.close(id);
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const json = (value: unknown) => Promise.resolve(Response.json(value));

test('a message that could not be sent is the same one when it is sent again, and another one once it was edited or in another conversation', async () => {
  const ids: unknown[] = [];
  vi.stubGlobal('fetch', (_url: string, init: RequestInit) => {
    ids.push((JSON.parse(init.body as string) as { client_id: unknown }).client_id);
    return Promise.reject(new Error('not connected'));
  });
  const file = { name: 'notes.md', content: '' } as never;
  for (const [conversation, content, files] of [
    ['c', 'One', []],
    ['d', 'One', []],
    ['c', 'One', []],
    ['c', 'One, edited', []],
    ['c', 'One', [file]],
  ] as const) {
    expect((await app.send({ conversation, agent: 'a' }, content, [...files])).stored).toBe(false);
  }
  expect(ids[2]).toBe(ids[0]);
  expect(new Set(ids).size).toBe(4);
});

test('what was sent in one conversation leaves the same words in another the message that they are', async () => {
  const sent: [string, unknown][] = [];
  let connected = false;
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    if (!url.endsWith('/messages')) return json({ id: 'new' });
    const { client_id } = JSON.parse(init.body as string) as { client_id: unknown };
    sent.push([url.split('/').at(-2) ?? '', client_id]);
    return connected
      ? json({ message: { id: 'm', conversation_id: 'd' } })
      : Promise.reject(new Error('not connected'));
  });
  expect(await app.send({ conversation: '', agent: 'a' }, 'Two')).toEqual({ id: 'new', stored: false });
  connected = true;
  expect((await app.send({ conversation: 'd', agent: 'a' }, 'Two')).stored).toBe(true);
  expect((await app.send({ conversation: 'new', agent: 'a' }, 'Two')).stored).toBe(true);
  expect(sent.map(([conversation]) => conversation)).toEqual(['new', 'd', 'new']);
  expect(sent[2]?.[1]).toBe(sent[0]?.[1]);
  expect(sent[1]?.[1]).not.toBe(sent[0]?.[1]);
});

test('the end of a long answer is told to who is elsewhere, that of a short one is not', async () => {
  vi.useFakeTimers({ now: 0 }); // before what the other tests do
  vi.spyOn(document, 'hasFocus').mockReturnValue(false);
  const told: string[] = [];
  class Shown extends EventTarget {
    static permission = 'granted';
    constructor(title: string) {
      super();
      told.push(title);
    }
  }
  vi.stubGlobal('Notification', Shown);
  app.ready = true;
  let seq = app.state.seq;
  const happens = async (type: string, message_id: string) => {
    const data = { conversation_id: 'c', message_id, phase: 'writing', queued: [] };
    app.receive([{ seq: ++seq, type, at: '2026-11-30T10:00:00Z', data } as unknown as BusEvent]);
    await vi.advanceTimersByTimeAsync(1000);
  };
  await happens('turn.progress', 'short');
  await happens('turn.done', 'short');
  expect(told).toEqual([]);
  await happens('turn.progress', 'long');
  await vi.advanceTimersByTimeAsync(20_000);
  await happens('turn.done', 'long');
  expect(told).toEqual(['Answer complete']);
});

describe('what is taken back', () => {
  const part = (count: number): BusEvent =>
    ({
      seq: app.state.seq + 1,
      id: 'event',
      type: 'passages.changed',
      at: '2026-11-30T10:00:00Z',
      data: { archive_id: 'a', count, undoes: 'revision', revision_id: 'undo' },
    }) as BusEvent;

  test('says how far it is where that takes long, and no longer than it takes', async () => {
    vi.useFakeTimers();
    app.ready = true;
    const { promise, resolve } = pending();
    vi.stubGlobal('fetch', () => promise.then(() => Response.json({ revision: {} })));
    const undone = app.undo('revision');
    expect(toasts.list).toEqual([]);
    await vi.advanceTimersByTimeAsync(600);
    expect(toasts.list.map(({ progress }) => progress)).toEqual(['']);
    for (const progress of ['1,000 passages so far', '2,000 passages so far']) {
      app.receive([part(1000)]);
      await vi.advanceTimersByTimeAsync(1000);
      expect(toasts.list.map((toast) => toast.progress)).toEqual([progress]);
    }
    await vi.advanceTimersByTimeAsync(60_000);
    expect(toasts.list).toHaveLength(1);
    resolve();
    await undone;
    expect(toasts.list).toEqual([]);
  });

  test('may be a part of what broke off: the way back is offered as soon as it can be asked whether it is there', async () => {
    vi.useFakeTimers();
    const answers = [() => Promise.reject(new Error('not connected')), () => json({ undone_by: '' })];
    vi.stubGlobal('fetch', () => answers.shift()?.());
    await app.offerUndoOfPart('2,000 passages were deleted.', { id: 'revision' } as never);
    expect(toasts.list).toEqual([]);
    await vi.runAllTimersAsync();
    expect(toasts.list.map(({ text, action }) => [text, action?.label])).toEqual([
      ['2,000 passages were deleted.', 'Undo'],
    ]);
  });

  test('is not offered again where it has been taken back', async () => {
    vi.stubGlobal('fetch', () => json({ undone_by: 'undo' }));
    await app.offerUndoOfPart('2,000 passages were deleted.', { id: 'revision' } as never);
    expect(toasts.list).toEqual([]);
  });
});
