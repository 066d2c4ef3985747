import { expect, test } from 'vitest';
import { en } from '../src/lib/i18n/en';
import { jobTitle } from '../src/lib/jobs';

test('a document that is not read yet is not said to be', () => {
  const job = { kind: 'document', model: 'letter.pdf' } as const;
  expect(jobTitle({ ...job, status: 'waiting' }, en)).toBe('Waiting: letter.pdf');
  expect(jobTitle({ ...job, status: 'reading' }, en)).toBe('Reading letter.pdf');
});
