// The numbers of the page, measured in Chromium against `recollect serve` with the fake engine. Prints a JSON array of
// {name, value, unit, bar, ok}; exits 0 whenever it ran.
import { say, World } from "./world.mjs";

const KB = 1024;
const world = await World.open({ engine: ["--chunk-delay", "5ms"] });
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

  // Scripts on the wire until the composer accepts text, as the browser counts them.
  const context = await world.browser.newContext({
    viewport: { width: 1440, height: 900 },
  });
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await cdp.send("Network.enable");
  const scripts = new Map();
  let bytes = 0;
  cdp.on(
    "Network.responseReceived",
    ({ requestId, type }) => type === "Script" && scripts.set(requestId, true),
  );
  cdp.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) bytes += encodedDataLength;
  });
  const opened = Date.now();
  await page.goto(world.link);
  await page.locator("#composer").waitFor();
  const interactive = Date.now() - opened;
  report(
    "page: scripts before the composer accepts text",
    bytes / KB,
    "KB",
    120,
  );
  report("page: opened to composer in a browser", interactive / 1000, "s", 1.5);

  // CPU of the page while an answer of 20 KB streams, idle time taken off.
  await cdp.send("Performance.enable");
  const cpu = async () => {
    const { metrics } = await cdp.send("Performance.getMetrics");
    return metrics.find((m) => m.name === "TaskDuration").value;
  };
  await say(page, "Hello");
  await page.locator('article.answer[aria-busy="false"]').waitFor();
  const lines = 400;
  const before = await cpu();
  await say(page, `[[long ${lines}]]`);
  await page.waitForFunction(
    (n) => document.querySelectorAll("article.answer li").length >= n,
    lines,
    {
      timeout: 120_000,
      polling: 500,
    },
  );
  await page
    .locator('article.answer[aria-busy="true"]')
    .waitFor({ state: "detached" });
  const spent = (await cpu()) - before;
  const length = await page
    .locator("article.answer")
    .last()
    .evaluate((a) => a.innerText.length);
  report(
    "page: CPU for a streamed answer of 20 KB",
    (spent * 20 * KB) / length,
    "s",
    0.3,
  );
} finally {
  await world.close();
}
console.log(JSON.stringify(results, null, 2));
