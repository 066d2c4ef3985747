import { describe, expect, test } from 'vitest';
import type { Passage } from '../src/lib/api.gen';
import {
  allPassages,
  choose,
  exportPassages,
  isFiltered,
  keepChosen,
  noSelection,
  parameters,
  readQuery,
  splitTags,
  writeQuery,
} from '../src/lib/passages';

const order = ['a', 'b', 'c', 'd', 'e'];
const chosen = (selection: { ids: ReadonlySet<string> }) => [...selection.ids].sort().join('');

describe('what is chosen', () => {
  test('one after the other, and taken back', () => {
    let selection = choose(noSelection, order, 'b', false);
    selection = choose(selection, order, 'd', false);
    expect(chosen(selection)).toBe('bd');
    expect(chosen(choose(selection, order, 'b', false))).toBe('d');
  });

  test('a range with Shift, downwards, upwards, and to take away', () => {
    const from = choose(noSelection, order, 'b', false);
    const down = choose(from, order, 'd', true);
    expect(chosen(down)).toBe('bcd');
    expect(chosen(choose(choose(noSelection, order, 'd', false), order, 'a', true))).toBe('abcd');
    expect(chosen(choose({ ...down, from: 'c' }, order, 'd', true))).toBe('b');
  });

  test('Shift without a beginning chooses one', () => {
    expect(chosen(choose(noSelection, order, 'c', true))).toBe('c');
    expect(chosen(choose({ ids: new Set(['z']), from: 'z' }, order, 'c', true))).toBe('cz');
  });

  test('what has gone is no longer chosen', () => {
    const selection = { ids: new Set(['a', 'x']), from: 'x' };
    expect(keepChosen(selection, order)).toEqual({ ids: new Set(['a']), from: '' });
    expect(keepChosen({ ids: new Set(['a']), from: 'a' }, order).from).toBe('a');
  });
});

describe('the query of an archive', () => {
  test('comes back from the address as it went in', () => {
    for (const query of [
      allPassages,
      {
        ...allPassages,
        q: 'Comet & 年糕',
        tags: ['bike', '家'],
        mode: 'all' as const,
        after: '2026-11-01',
        origin: 'hand' as const,
      },
    ]) {
      expect(readQuery(writeQuery(query))).toEqual(query);
    }
  });

  test('what makes no sense in the address is left out', () => {
    expect(readQuery({ after: 'yesterday', before: '2026-1-1', origin: 'space', mode: 'some', tags: ',,' })).toEqual(
      allPassages,
    );
    expect(isFiltered(allPassages)).toBe(false);
    expect(isFiltered({ ...allPassages, tags: ['x'] })).toBe(true);
  });

  test('the API gets what restricts, and no more', () => {
    expect(parameters('agent-1', allPassages).toString()).toBe('agent_id=agent-1&tag_mode=any');
  });
});

test('tags are separated by commas of either script', () => {
  expect(splitTags(' bike,  my   home，猫、 bike ,')).toEqual(['bike', 'my home', '猫']);
  expect(splitTags('  ')).toEqual([]);
});

describe('export', () => {
  const passage: Passage = {
    id: 'p',
    archive_id: 'x',
    text: 'Comet is **blue**.\nAnd fast.',
    tags: ['my bike'],
    origin: 'm',
    version: 1,
    embedded: true,
    created_at: '2026-11-29T12:00:00Z',
    updated_at: '2026-11-29T12:00:00Z',
  };
  test('as Markdown to read', () => {
    expect(exportPassages([passage, { ...passage, text: 'Two', tags: [] }], 'markdown')).toBe(
      '## 2026-11-29 #my-bike\n\nComet is **blue**.\nAnd fast.\n\n## 2026-11-29\n\nTwo\n',
    );
  });
  test('as JSON to read in', () => {
    expect(JSON.parse(exportPassages([passage], 'json'))).toEqual([
      { text: passage.text, tags: ['my bike'], created_at: passage.created_at, origin: 'm' },
    ]);
  });
});
