import { describe, expect, test } from 'vitest';
import { Paged } from '../src/lib/paged.svelte';
import { pending } from './pending';

interface Page {
  words: string[];
  next: string;
}

/** A list whose answers are given by hand, with what was asked for. */
function world() {
  const asked: { query: string; cursor: string; answer: (page: Page) => void }[] = [];
  const list = new Paged(
    (query: string, cursor) => {
      const { promise, resolve } = pending<Page>();
      asked.push({ query, cursor, answer: resolve });
      return promise;
    },
    (page) => page.words,
  );
  return { list, asked };
}

describe('a list that comes page by page', () => {
  test('it says what it answers, not what is being asked', async () => {
    const { list, asked } = world();
    const first = list.load('a');
    asked[0]?.answer({ words: ['ant'], next: '' });
    await first;
    const second = list.load('b');
    expect([list.items, list.answered]).toEqual([['ant'], 'a']);
    asked[1]?.answer({ words: ['bee'], next: '' });
    await second;
    expect([list.items, list.answered, list.first?.words]).toEqual([['bee'], 'b', ['bee']]);
  });

  test('an answer that comes late stands in nobody’s place', async () => {
    const { list, asked } = world();
    const both = [list.load('a'), list.load('b')];
    asked[1]?.answer({ words: ['bee'], next: '' });
    asked[0]?.answer({ words: ['ant'], next: 'x' });
    await Promise.all(both);
    expect([list.items, list.next]).toEqual([['bee'], '']);
  });

  test('the page that follows is of the query that was answered, and comes once', async () => {
    const { list, asked } = world();
    const first = list.load('a');
    asked[0]?.answer({ words: ['ant'], next: '2' });
    await first;
    void list.load('b'); // is not answered yet
    const twice = [list.more(), list.more()];
    expect(asked.slice(2).map(({ query, cursor }) => [query, cursor])).toEqual([
      ['a', '2'],
      ['a', '2'],
    ]);
    for (const { answer } of asked.slice(2)) answer({ words: ['ape'], next: '' });
    await Promise.all(twice);
    expect([list.items, list.next]).toEqual([['ant', 'ape'], '']);
    await list.more();
    expect(asked).toHaveLength(4);
  });

  test('where the list was loaded anew meanwhile, a further page of the old one has no place', async () => {
    const { list, asked } = world();
    const first = list.load('a');
    asked[0]?.answer({ words: ['ant'], next: '2' });
    await first;
    const more = list.more();
    const again = list.load('a');
    asked[2]?.answer({ words: ['ape'], next: '2' });
    await again;
    asked[1]?.answer({ words: ['asp'], next: '' });
    await more;
    expect([list.items, list.next]).toEqual([['ape'], '2']);
  });
});
