// Fails when the built page breaks a budget: script and style sizes before the composer accepts text, and no address
// of another host anywhere in it.
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const dist = new URL('../dist/', import.meta.url).pathname;
const budget = { js: 120 * 1024, css: 20 * 1024 };
// XML namespaces are names, not addresses; nothing is fetched from them.
const namespaces =
  /https?:\/\/www\.w3\.org\/(?:1999\/xhtml|2000\/svg|1998\/Math\/MathML|1999\/xlink|XML\/1998\/namespace|2000\/xmlns\/)/g;

const files = (dir) =>
  readdirSync(dir).flatMap((name) => {
    const path = join(dir, name);
    return statSync(path).isDirectory() ? files(path) : [path];
  });
const failures = [];
const html = readFileSync(join(dist, 'index.html'), 'utf8');

/** The files that index.html loads at once, and what those import statically. */
function initial(ext) {
  const seen = new Set();
  const visit = (file) => {
    if (seen.has(file)) return;
    seen.add(file);
    if (!file.endsWith('.js')) return;
    const text = readFileSync(join(dist, 'assets', file), 'utf8');
    for (const m of text.matchAll(/(?:from|import)\s*["']\.\/([\w.-]+\.js)["']/g)) visit(m[1]);
  };
  for (const m of html.matchAll(/assets\/([\w.-]+\.(?:js|css))/g)) visit(m[1]);
  return [...seen].filter((file) => file.endsWith(ext));
}

for (const [ext, limit] of Object.entries(budget)) {
  const size = initial('.' + ext).reduce((sum, f) => sum + gzipSync(readFileSync(join(dist, 'assets', f))).length, 0);
  console.log(`initial ${ext}: ${(size / 1024).toFixed(1)} KB gzip (limit ${limit / 1024} KB)`);
  if (size > limit) failures.push(`initial ${ext} is over its budget`);
}
for (const path of files(dist)) {
  const address = readFileSync(path, 'utf8')
    .replace(namespaces, '')
    .match(/https?:\/\/[\w.-]+[^\s"'`)]*/);
  if (address) failures.push(`${path.slice(dist.length)} names ${address[0]}`);
}
if (failures.length > 0) {
  console.error(failures.join('\n'));
  process.exit(1);
}
