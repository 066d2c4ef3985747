import { describe, expect, test } from 'vitest';
import { latest, once, serial } from '../src/lib/calls';
import { pending } from './pending';

describe('answers that come late', () => {
  test('only the one to what was asked last is taken', async () => {
    const asking = latest();
    const shown: string[] = [];
    const show = async (answer: Promise<string>) => {
      const current = asking();
      const text = await answer;
      if (current()) shown.push(text);
    };
    const [first, second] = [pending<string>(), pending<string>()];
    const both = [show(first.promise), show(second.promise)];
    second.resolve('second');
    first.resolve('first');
    await Promise.all(both);
    expect(shown).toEqual(['second']);
  });

  test('what is done once is not begun again while it runs, and can be afterwards', async () => {
    let begun = 0;
    let end = pending();
    const act = once(() => (begun++, end.promise));
    const both = [act(), act()];
    end.resolve();
    await Promise.all(both);
    expect(begun).toBe(1);

    end = pending();
    const failing = act();
    end.reject(new Error('no'));
    await expect(failing).rejects.toThrow('no');
    end = pending();
    end.resolve();
    await act();
    expect(begun).toBe(3);
  });

  test('what changes while it is fetched is fetched once more, each key by itself', async () => {
    const begun: string[] = [];
    let ends = [pending(), pending(), pending()];
    const load = serial((key) => {
      begun.push(key);
      return (ends[begun.length - 1] ?? pending()).promise;
    });
    const all = [load('a'), load('a'), load('a'), load('b')];
    expect(begun).toEqual(['a', 'b']);
    for (const end of ends) end.resolve();
    await Promise.all(all);
    expect(begun).toEqual(['a', 'b', 'a']);

    // A failure ends it, unless it is to be done once more anyway.
    begun.length = 0;
    ends = [pending(), pending()];
    const [first, second] = [load('a'), load('a')];
    ends[0]?.reject(new Error('no'));
    ends[1]?.resolve();
    await first;
    await second;
    expect(begun).toEqual(['a', 'a']);
    begun.length = 0;
    ends = [pending()];
    const alone = load('a');
    ends[0]?.reject(new Error('no'));
    await expect(alone).rejects.toThrow('no');
  });
});
