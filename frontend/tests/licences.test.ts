// @vitest-environment node
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

// In a process of its own: the page is built as it is shipped, not as it is tested.
test('the list of licences has every package of the page', { timeout: 120_000 }, async () => {
  const script = fileURLToPath(new URL('../scripts/licences.mjs', import.meta.url));
  const env = { PATH: process.env.PATH ?? '', NODE_ENV: 'production' };
  const check = promisify(execFile)(process.execPath, [script, '--check'], { env });
  await expect(check).resolves.toMatchObject({ stderr: '' });
});
