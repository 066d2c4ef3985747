// Writes backend/licences/npm.json: the licences of all packages that are in the built page. With --check it only compares.
import { readFileSync, writeFileSync } from 'node:fs';
import { bundled } from './bundled.mjs';

const file = new URL('../../backend/licences/npm.json', import.meta.url);
const parts = await bundled();
for (const { name, licence, texts } of parts) {
  if (!licence || texts.length === 0) throw new Error(`${name} has no licence`);
}
const text = JSON.stringify(parts, null, 1) + '\n';
if (!process.argv.includes('--check')) writeFileSync(file, text);
else if (readFileSync(file, 'utf8') !== text) {
  console.error(`the page has ${parts.map((p) => `${p.name} ${p.version}`).join(', ')}: run \`make licences\``);
  process.exit(1);
}
