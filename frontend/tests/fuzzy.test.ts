import { expect, test } from 'vitest';
import { initials, match } from '../src/lib/fuzzy';

test.each([
  ['set', 'Settings'],
  ['comet', 'Where is Comet?'],
  ['nc', 'New conversation'],
  ['newcon', 'New conversation'],
  ['con new', 'New conversation'],
  ['年糕', '年糕换粮记录'],
  ['换粮', '年糕换粮记录'],
  ['nghl', '年糕换粮记录'],
  ['hl', '年糕换粮记录'],
  ['xhh', '新会话'],
  ['', 'anything'],
])('%j finds %j', (query, text) => expect(match(query, text)).toBeGreaterThan(0));

test.each([
  ['xyz', 'Settings'],
  ['ttg', 'Settings'],
  ['nc', 'Needle'],
  ['comet bike', 'Where is Comet?'],
  ['粮换', '年糕换粮记录'],
  ['zz', '年糕换粮记录'],
])('%j does not find %j', (query, text) => expect(match(query, text)).toBe(0));

test('the beginning of the text is better than that of a word, that than its middle, and letters are last', () => {
  const order = ['Move to Hamburg', 'The move', 'Remove it', 'Vote'].map((t) => match('move', t));
  expect([...order].sort((a, b) => b - a)).toEqual(order);
  expect(order.at(-1)).toBe(0);
  expect(match('nc', 'New conversation')).toBeGreaterThan(match('nc', 'Once'));
  expect(match('nc', 'New conversation')).toBeLessThan(match('new', 'New conversation'));
});

test('initials are those of pinyin', () => {
  expect(initials('重庆 abc')).toMatch(/^[cz]q abc$/);
  expect(initials('啊八次的额发给好就看了吗你哦怕去人是他我想一在')).toBe('abcdefghjklmnopqrstwxyz');
});
