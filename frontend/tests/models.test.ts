import { expect, test } from 'vitest';
import { en } from '../src/lib/i18n/en';
import { zh } from '../src/lib/i18n/zh';
import { Format } from '../src/lib/format';
import { sameModel, shortName } from '../src/lib/models';
import { problemText } from '../src/lib/problems';
import { reasonText } from '../src/lib/reasons';

test('a model without a tag is the latest', () => {
  expect(sameModel('recollect/multilingual-e5-small', 'recollect/multilingual-e5-small:latest')).toBe(true);
  expect(sameModel('localhost:5000/a/b', 'localhost:5000/a/b:latest')).toBe(true);
  expect(sameModel('qwen3:4b', 'qwen3')).toBe(false);
});

test('reasons are told in the language of the page', () => {
  expect(reasonText('remember, as asked (1)', en)).toBe('remembered, as asked');
  expect(reasonText('remember, as asked (2)', zh)).toBe('按你的要求记住');
  expect(reasonText('new agent', zh)).toBe('初始内容');
  expect(reasonText('core_memory_append', zh)).toBe('core_memory_append');
});

test('a message that is too long is said to be so once, with the numbers', () => {
  const message = 'The message takes 269163 tokens, and the window of 8192 tokens has room for 6561.';
  const problem = { code: 'EOVERFLOW', message, remedy: 'store_in_archive', limit: 6561, actual: 269163 } as const;
  const text = problemText(problem, en, new Format('en'));
  expect(text).toBe(en.tooLong('269,163', '6,561'));
});

test('a problem shows no id', () => {
  const message = 'there is no conversation "01KAQJ5Y3V8N6Z2M4T7R9W0XBC"';
  const text = problemText({ code: 'ENOTFOUND', message, remedy: 'retry' }, en, new Format('en'));
  expect(text).toBe('It is no longer there.');
});

test('a name is shown without what goes without saying', () => {
  expect(shortName('recollect/multilingual-e5-small:latest')).toBe('multilingual-e5-small');
  expect(shortName('qwen3:4b')).toBe('qwen3:4b');
  expect(shortName('hf.co/x/recollect/y:latest')).toBe('hf.co/x/recollect/y');
});
