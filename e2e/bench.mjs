// The numbers of the page, measured in Chromium against `recollect serve` with the fake engine. Prints a JSON array of
// {name, value, unit, bar, ok}; exits 0 whenever it ran.
import { gzipSync } from 'node:zlib';
import { say, World } from './world.mjs';

const KB = 1024;
const world = await World.open({ engine: ['--chunk-delay', '5ms'] });
const results = [];
const report = (name, value, unit, bar) =>
  results.push({
    name,
    value: Math.round(value * 100) / 100,
    unit,
    bar,
    ok: value <= bar,
  });

try {
  await world.ready();

  // Scripts fetched until the composer accepts text.
  const context = await world.browser.newContext({
    viewport: { width: 1440, height: 900 },
  });
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  const scripts = [];
  page.on('response', (r) => r.request().resourceType() === 'script' && scripts.push(r.body()));
  const opened = Date.now();
  await page.goto(world.link);
  await page.locator('#composer').waitFor();
  const interactive = Date.now() - opened;
  const bytes = (await Promise.all(scripts)).reduce((sum, body) => sum + gzipSync(body).length, 0);
  report('page: scripts before the composer accepts text, gzip', bytes / KB, 'KB', 120);
  report('page: opened to composer in a browser', interactive / 1000, 's', 1.5);

  // CPU of the page while an answer of 20 KB streams, idle time taken off.
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  const cpu = async () => {
    const { metrics } = await cdp.send('Performance.getMetrics');
    if (process.env.DETAIL) console.error(metrics.filter((m) => /Duration|Time$/.test(m.name)));
    return metrics.find((m) => m.name === 'TaskDuration').value;
  };
  await say(page, 'Hello');
  await page.locator('article.answer[aria-busy="false"]').waitFor();
  const lines = 190; // of 51 characters; more would reach the length limit of one answer
  const before = await cpu();
  await say(page, `[[long ${lines}]]`);
  await page.waitForFunction((n) => document.querySelectorAll('article.answer li').length >= n, lines, {
    timeout: 120_000,
    polling: 500,
  });
  await page.locator('article.answer[aria-busy="true"]').waitFor({ state: 'detached' });
  const spent = (await cpu()) - before;
  const length = await page
    .locator('article.answer')
    .last()
    .evaluate((a) => a.innerText.length);
  report('page: CPU for a streamed answer of 20 KB', (spent * 20 * KB) / length, 's', 0.3);
} finally {
  await world.close();
}
console.log(JSON.stringify(results, null, 2));
