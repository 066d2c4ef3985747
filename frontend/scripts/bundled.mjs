// Which packages are in the built page: what Rollup takes modules from, not what happens to be installed.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The packages by name, each with version, licence and the texts that go with it. */
export async function bundled() {
  const found = new Map();
  const result = await build({
    root,
    logLevel: 'silent',
    configFile: join(root, 'vite.config.ts'),
    build: { write: false, minify: false },
  });
  for (const { output } of [result].flat()) {
    for (const chunk of output) {
      for (const id of Object.keys(chunk.modules ?? {})) {
        const match = /^\0?(.*\/node_modules\/((?:@[^/]+\/)?[^/]+))\//.exec(id);
        if (match) found.set(match[2], match[1]);
      }
    }
  }
  return [...found]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, folder]) => {
      const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      const texts = readdirSync(folder)
        .filter((file) => /^(licen[sc]e|copying|notice)/i.test(file))
        .map((file) => readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim());
      return { name, version, licence: license, texts };
    });
}
