import { expect, test } from 'vitest';
import { langOf } from '../src/lib/script';

test('a text says in which script it is written', () => {
  expect(langOf('my bicycle is called “Comet”')).toBe('en');
  expect(langOf('我的自行车叫“Comet”')).toBe('zh-Hans');
  expect(langOf('自転車の名前はコメットです')).toBe('ja');
  expect(langOf('내 자전거')).toBe('ko');
  expect(langOf('123, …')).toBeUndefined();
});
