import { beforeEach, describe, expect, it } from 'vitest';
import type { Attachment } from '../src/lib/attachments';
import { give, joined, receive, type Given } from '../src/lib/composing';
import { readDraft, writeDraft } from '../src/lib/drafts';
import { clearFiles, readFiles, writeFiles } from '../src/lib/unsent';

const file = (name: string): Attachment => ({ name, bytes: 1, base64: 'eA==', into: 'message' });

describe('what is put into a composer', () => {
  beforeEach(async () => {
    for (const key of ['a', 'b']) writeDraft(key, '');
    await clearFiles();
  });

  it('goes to the composer of its own conversation', async () => {
    const taken: Given[] = [];
    const close = receive('a', (given) => taken.push(given));
    await give('a', { text: 'mine' });
    await give('b', { text: 'not mine' });
    expect(taken).toEqual([{ text: 'mine' }]);
    expect(readDraft('b')).toBe('not mine');
    close();
    await give('a', { text: 'later' });
    expect(taken).toHaveLength(1);
    expect(readDraft('a')).toBe('later');
  });

  it('comes beside what is written there already', async () => {
    writeDraft('b', 'A thought');
    await writeFiles('b', [file('one.txt')]);
    await give('b', { text: 'taken back', files: [file('two.txt')] });
    await give('b', { text: 'not sent', files: [file('zero.txt')], first: true });
    expect(readDraft('b')).toBe('not sent\n\nA thought\n\ntaken back');
    expect((await readFiles('b')).map(({ name }) => name)).toEqual(['zero.txt', 'one.txt', 'two.txt']);
  });

  it('changes nothing where it says nothing', () => {
    expect(joined('A thought ', {})).toBe('A thought ');
    expect(joined(' ', { text: 'words' })).toBe('words');
  });

  it('is not lost to a composer that closes after another one of the same draft has opened', async () => {
    const taken: string[] = [];
    const close = receive('a', () => taken.push('first'));
    receive('a', () => taken.push('second'));
    close();
    await give('a', { text: 'x' });
    expect(taken).toEqual(['second']);
  });
});
