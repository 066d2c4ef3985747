import { expect, test } from 'vitest';
import { en } from '../src/lib/i18n/en';
import { zh } from '../src/lib/i18n/zh';
import { Format } from '../src/lib/format';
import { fetching, sameModel, shortName } from '../src/lib/models';
import { foreignDetail, nextStep, problemText } from '../src/lib/problems';
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
  expect(text).toBe(en.tooLong('269,163', '262,602'));
});

test('a limit is told once', () => {
  const message = 'the key would have 120 characters; at most 100 are possible';
  const problem = { code: 'ELIMIT', message, limit: 100, actual: 120 } as const;
  expect(problemText(problem, en, new Format('en'))).toBe(
    'The key would have 120 characters; at most 100 are possible.',
  );
  expect(problemText(problem, zh, new Format('zh-CN'))).toBe(`${zh.problem['ELIMIT']} ${zh.numbers('120', '100')}`);
});

test('what has nothing to do is not said to have been changed', () => {
  const problem = { code: 'ECONFLICT', message: 'there is no need for room', chinese: '不需要腾出空间' } as const;
  expect(problemText(problem, en, new Format('en'))).toBe('There is no need for room.');
  expect(problemText(problem, zh, new Format('zh-CN'))).toBe('不需要腾出空间。');
  expect(problemText({ ...problem, chinese: '' }, zh, new Format('zh-CN'))).toBe(zh.problem['ECONFLICT']);
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

test('a model that comes with the app is prepared, any other is pulled', () => {
  expect(fetching('recollect/smollm2-135m:latest')).toEqual(['/models/starter', {}]);
  expect(fetching('qwen3:4b')).toEqual(['/models/pull', { name: 'qwen3:4b' }]);
});

test('a Chinese page tells a problem in Chinese and keeps the English detail apart', () => {
  const problem = { code: 'EENGINE', message: 'the runner has gone', remedy: 'retry' } as const;
  expect(problemText(problem, zh, new Format('zh-CN'))).toBe(zh.problem['EENGINE']);
  expect(foreignDetail(problem, zh)).toBe('The runner has gone.');
  expect(problemText(problem, en, new Format('en'))).toBe('The runner has gone.');
  expect(foreignDetail(problem, en)).toBe('');
});

test('one step helps with an answer that failed', () => {
  expect(nextStep('start_engine', false, true)).toBe('start_engine');
  expect(nextStep('start_engine', true, false)).toBe('retry'); // it runs again
  expect(nextStep('start_engine', true, true)).toBe('continue');
  expect(nextStep('retry', true, true)).toBe('continue');
  expect(nextStep('choose_model', true, true)).toBe('choose_model');
});
