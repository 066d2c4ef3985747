// The numbers of the page, measured in Chromium against `recollect serve` with the fake engine. Tells each number
// on stderr as it comes, and at its end prints a JSON array of {name, value, unit, bar, ok}; exits 0 whenever it ran.
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { say, World } from './world.mjs';

const KB = 1024;
/** 20 KB in characters; with 4,096 tokens for one answer hardly more can be said. */
const LENGTH = 20_000;
/** So many conversations are in the list. */
const MANY = 10_000;
/** So many passages are in the archive. */
const PASSAGES = 60_000;
/** How long the idle page is watched, in seconds. */
const IDLE = 10;

/** What a model answers when asked for much: sections of prose, a list, now and then a table or some code. */
function longAnswer(length) {
  const sections = [];
  for (let n = 1; sections.join('\n\n').length < length; n++) {
    sections.push(
      `## Chapter ${n}: understanding *persistent* conversations`,
      'Remembering conversations requires **dependable** storage, thoughtful retrieval and considerate presentation. ' +
        'Assistants frequently disappoint because `context` disappears between sessions, leaving everybody repeating ' +
        'introductions and background information again.\n' +
        'Consequently trustworthy architectures distinguish permanent understanding between neighbouring circumstances, ' +
        'notwithstanding extraordinarily straightforward counterexamples throughout interdisciplinary investigations. ' +
        'Interoperability considerations notwithstanding, characteristically comprehensive documentation accompanies ' +
        'implementation responsibilities, demonstrating extraordinary professionalism.',
      '- **Blocks** describe personality and important particulars.\n' +
        '- *Passages* preserve documents, transcripts and observations.\n' +
        '- Receipts demonstrate which memories influenced every answer.',
    );
    if (n % 4 === 0)
      sections.push('| Component | Responsibility |\n|---|--:|\n| Storage | durability |\n| Retrieval | relevance |');
    if (n % 4 === 2) {
      sections.push('```python\ndef remember(conversation):\n    return archive.search(conversation.subject)\n```');
    }
  }
  return sections.join('\n\n');
}

const script = {
  'Tell me all': `[[say ${longAnswer(LENGTH)}]]`,
  // A word each 3 ms: 300 a second and more.
  'Think it over': `[[slow 3]] [[think ${'Considering whatever remains after everything else was considered. '.repeat(400)}]] [[say Done.]]`,
};
// 100 words a second, about as fast as small models write.
const world = await World.open({ engine: ['--chunk-delay', '10ms'], script });
const results = [];
/** Takes one number down, and tells it at once: the whole takes ten minutes and more. */
function report(name, exact, unit, bar) {
  const value = Math.round(exact * 100) / 100;
  results.push({ name, value, unit, bar, ok: exact <= bar });
  console.error(`${name}: ${value} ${unit} (bar ${bar})`);
}

const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];

/** The list with 10,000 conversations: from a key or a click to the frame that shows what was asked for. */
async function conversations() {
  const [agent] = (await world.api('GET', '/agents')).agents;
  const other = await world.api('POST', '/agents', { name: 'Other' });
  for (let n = 0; n < MANY; n += 50) {
    await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        world.api('POST', '/conversations', { agent_id: agent.id, title: `Conversation number ${n + i}` }),
      ),
    );
  }
  const page = await world.page();
  await page.waitForFunction((least) => document.querySelector('nav .rows')?.scrollHeight > least, MANY * 28);
  const measured = (act, seen) =>
    page.evaluate(
      async ([act, seen]) => {
        const began = performance.now();
        new Function(act)();
        const done = new Function(`return ${seen}`);
        while (!done()) await new Promise((wake) => requestAnimationFrame(wake));
        return performance.now() - began;
      },
      [act, seen],
    );
  const anywhere = [];
  for (const share of [0.5, 0.1, 0.9, 0.3, 0.7, 1, 0]) {
    const rows = `document.querySelector('nav .rows')`;
    anywhere.push(
      await measured(
        `${rows}.scrollTop = ${share} * ${rows}.scrollHeight`,
        `(() => { const box = ${rows}.getBoundingClientRect(); const at = document.elementFromPoint(box.left + 40, box.top + box.height / 2 + 7); return at?.closest('li, h3') !== null; })()`,
      ),
    );
  }
  report('page: list of 10,000 conversations, scrolled anywhere', Math.max(...anywhere), 'ms', 100);

  // The whole list is made anew when another agent is chosen.
  const anew = [];
  for (let i = 0; i < 5; i++) {
    await page.goto(new URL(`#/new?agent=${other.id}`, page.url()).href);
    await page.locator('nav a[data-stop]').first().waitFor({ state: 'detached' });
    anew.push(
      await measured(
        `location.hash = '#/new?agent=${agent.id}'`,
        `document.querySelectorAll('nav a[data-stop]').length > 10`,
      ),
    );
  }
  report('page: list of 10,000 conversations, drawn anew', median(anew), 'ms', 100);

  const field = () => page.locator('#conversation-search');
  await page.locator('#conversation-search-button').click();
  await field().waitFor();
  const hits = [];
  for (const word of ['number 77', 'tell', 'number 4321', 'hello', 'conversation number 9']) {
    await field().fill('');
    await page.locator('nav .found a').first().waitFor({ state: 'detached' });
    const set = `const f = document.querySelector('#conversation-search'); f.value = ${JSON.stringify(word)}; f.dispatchEvent(new Event('input', { bubbles: true }))`;
    hits.push(await measured(set, `document.querySelector('nav .found mark') !== null`));
  }
  report('page: hits by keyword as one types', median(hits), 'ms', 100);
  await page.context().close();
}

/** The archive with 60,000 passages: from a letter to the frame that shows what has it, and to the end of the list. */
async function archive() {
  const full = await World.open({ passages: PASSAGES });
  try {
    await full.ready();
    const page = await full.page({ path: '/#/memory/archive' });
    await page.getByText('60,000 passages').waitFor();
    const hits = [];
    for (const word of ['heron', 'violin77', '年糕5', 'number 4321', 'tyre', 'kett']) {
      await page.evaluate(async (word) => {
        globalThis.typed = [];
        performance.setResourceTimingBufferSize(10_000);
        const field = document.querySelector('main input[type=search]');
        // What a letter finds may be what the one before found: the answer tells. What it brought is shown in the frame
        // after the one that met it, at the latest.
        const answered = (text) =>
          performance.getEntriesByType('resource').some(({ name, responseEnd }) => {
            const { searchParams } = new URL(name);
            return searchParams.get('by') === 'words' && searchParams.get('query') === text && responseEnd > 0;
          });
        const frame = () => new Promise((wake) => requestAnimationFrame(wake));
        // Each letter waits for what it finds, as a slow typist does.
        for (let n = 2; n <= word.length; n++) {
          const text = word.slice(0, n);
          if (text !== text.trim()) continue;
          const began = performance.now();
          field.value = text;
          field.dispatchEvent(new Event('input', { bubbles: true }));
          while (!answered(text)) await frame();
          await frame();
          await new Promise((painted) => setTimeout(painted));
          globalThis.typed.push(performance.now() - began);
        }
      }, word);
      hits.push(...(await page.evaluate(() => globalThis.typed)));
      await page.getByRole('searchbox', { name: 'Search the archive' }).fill('');
      await page.getByText('60,000 passages').waitFor();
    }
    hits.sort((a, b) => a - b);
    report(
      'page: hits by keyword as one types, 60,000 passages, p95',
      hits[Math.floor(0.95 * (hits.length - 1))],
      'ms',
      100,
    );
    await page
      .getByRole('checkbox', { name: /^Select:/ })
      .first()
      .focus();
    const began = Date.now();
    await page.keyboard.press('End');
    await page.locator('li[aria-posinset="60000"]', { hasText: 'Note number 1 ' }).waitFor();
    report('page: from the first to the last of 60,000 passages', Date.now() - began, 'ms', 300);
  } finally {
    await full.close();
  }
}

try {
  await world.ready();
  await world.api('PATCH', '/settings', { window: 32768 }); // leaves one answer 4,096 tokens

  // Scripts fetched until the composer accepts text.
  const context = await world.browser.newContext({
    viewport: { width: 1440, height: 900 },
  });
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  const scripts = [];
  page.on('response', (r) => r.request().resourceType() === 'script' && scripts.push(r.body()));
  // From DOMContentLoaded to the frame in which the composer accepts text.
  await page.addInitScript(() => {
    addEventListener('DOMContentLoaded', () => {
      const ready = performance.now();
      new MutationObserver((_, watch) => {
        if (!document.querySelector('#composer')) return;
        watch.disconnect();
        requestAnimationFrame(() => (globalThis.interactiveAfter = performance.now() - ready));
      }).observe(document, { subtree: true, childList: true });
    });
  });
  const opened = Date.now();
  await page.goto(world.link);
  await page.locator('#composer').waitFor();
  const interactive = Date.now() - opened;
  const bytes = (await Promise.all(scripts)).reduce((sum, body) => sum + gzipSync(body).length, 0);
  report('page: scripts before the composer accepts text, gzip', bytes / KB, 'KB', 120);
  report('page: opened to composer in a browser', interactive / 1000, 's', 1.5);
  report('page: DOM ready to interactive', await page.evaluate(() => globalThis.interactiveAfter), 'ms', 300);

  // CPU of the page's main thread while an answer of 20 KB streams, less what the idle page takes in the same time.
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  const cpu = async () => {
    const { metrics } = await cdp.send('Performance.getMetrics');
    return metrics.find((m) => m.name === 'TaskDuration').value;
  };
  await say(page, 'Hello');
  await page.locator('article.answer[aria-busy="false"]').waitFor();
  await page.waitForTimeout(3000);
  const rested = await cpu();
  await page.waitForTimeout(IDLE * 1000);
  const idle = ((await cpu()) - rested) / IDLE;

  const before = await cpu();
  const began = Date.now();
  await say(page, 'Tell me all');
  // The page is not asked whether the answer is complete: asking costs it time as well.
  let answer;
  while (answer?.status !== 'complete') {
    await new Promise((wake) => setTimeout(wake, 250));
    const [{ id }] = (await world.api('GET', '/conversations')).conversations;
    answer = (await world.api('GET', `/conversations/${id}/messages`)).messages.at(-1);
    if (answer.role !== 'assistant' || answer.content.startsWith('You said')) answer = undefined;
    if (Date.now() - began > 180_000) throw new Error('the answer does not come to its end');
  }
  const seconds = (Date.now() - began) / 1000;
  const spent = (await cpu()) - before - idle * seconds;
  const { length } = answer.content;
  if (length < LENGTH) throw new Error(`the answer has only ${length} characters`);
  if ((await page.locator('article.answer').last().innerText()).length < 0.8 * length)
    throw new Error('not all of it is shown');
  report(`page: CPU for an answer of 20 KB that streamed for ${Math.round(seconds)} s`, spent, 's', 0.3);
  await context.close();

  await conversations();
  await archive();
} finally {
  await world.close();
}

/** Messages of the long conversation. */
const MESSAGES = 10_000;
/** Turns of the half hour that memory is watched for, one each quarter of a minute. */
const TURNS = 120;
/** By then as many messages are held as ever will be. */
const FULL = 80;

const long = await World.open({ engine: ['--chunk-delay', '10ms'], script, fill: MESSAGES });
try {
  await long.ready();
  await long.api('PATCH', '/settings', { window: 32768 });
  const [{ id }] = (await long.api('GET', '/conversations')).conversations;
  const page = await long.page({ path: '#/new' });
  await page.locator('#composer').waitFor();
  await page.waitForTimeout(2000);

  // From the click on a conversation to the frame that shows its last message.
  const opened = await page.evaluate(async (to) => {
    const began = performance.now();
    location.hash = to;
    for (;;) {
      await new Promise(requestAnimationFrame);
      const log = document.querySelector('[role=log]');
      const there = log?.textContent.includes('Answer number 10000.');
      if (there && log.scrollHeight - log.scrollTop - log.clientHeight < 2) return performance.now() - began;
    }
  }, `#/c/${id}`);
  report('page: a conversation of 10,000 messages opens', opened, 'ms', 300);

  // From a key to the frame that shows its letter, while an answer streams below.
  const typing = async (question, shows) => {
    await say(page, question);
    await shows();
    await page.evaluate(() => {
      globalThis.latencies = [];
      document
        .getElementById('composer')
        .addEventListener('keydown', (event) =>
          requestAnimationFrame(() => setTimeout(() => globalThis.latencies.push(performance.now() - event.timeStamp))),
        );
    });
    await page.locator('#composer').focus();
    for (const letter of 'how quickly does this letter appear while all of that is coming in, one after the other'.split(
      '',
    ))
      await page.keyboard.press(letter === ' ' ? 'Space' : letter, { delay: 30 });
    const busy = await page.locator('article.answer[aria-busy="true"]').count();
    if (busy === 0) throw new Error('the answer came to its end while it was typed');
    const latencies = await page.evaluate(() => globalThis.latencies.sort((a, b) => a - b));
    await page.locator('#composer').fill('');
    await page.keyboard.press('Escape');
    await page.locator('article.answer[aria-busy="true"]').waitFor({ state: 'detached' });
    return latencies[Math.floor(latencies.length * 0.95)];
  };
  const answering = () => page.getByText('Chapter 1:').last().waitFor();
  report(
    'page: letter on the screen while 100 words a second stream, 10,000 messages, p95',
    await typing('Tell me all', answering),
    'ms',
    50,
  );
  const thinking = () => page.locator('summary', { hasText: 'Thinking' }).last().waitFor();
  report(
    'page: the same while 300 words a second of folded thinking stream, p95',
    await typing('Think it over', thinking),
    'ms',
    50,
  );

  // Memory of the page's process, after half an hour of questions without its pauses.
  const browser = await long.browser.newBrowserCDPSession();
  const cdp = await page.context().newCDPSession(page);
  const memory = async () => {
    await cdp.send('HeapProfiler.collectGarbage');
    const { processInfo } = await browser.send('SystemInfo.getProcessInfo');
    const pages = processInfo
      .filter((p) => p.type === 'renderer')
      .map((p) => {
        const rollup = readFileSync(`/proc/${p.id}/smaps_rollup`, 'utf8');
        return Number(/^Pss:\s+(\d+)/m.exec(rollup)[1]) / KB;
      });
    return Math.max(...pages);
  };
  const heap = async () => {
    const { metrics } = await cdp.send('Performance.getMetrics');
    return metrics.find((m) => m.name === 'JSHeapUsedSize').value / KB / KB;
  };
  await cdp.send('Performance.enable');
  let early = 0;
  for (let turn = 1; turn <= TURNS; turn++) {
    await long.api('POST', `/conversations/${id}/messages`, { content: `Question ${turn} of the half hour` });
    await page.locator('article.answer[aria-busy="false"]', { hasText: `Question ${turn} of the half hour` }).waitFor();
    if (turn === FULL) early = (await memory(), await heap());
  }
  const late = await memory();
  report(`page: memory after ${TURNS} turns in a conversation of 10,000 messages`, late, 'MB', 200);
  // The process keeps what it has had; what the page itself holds is what must not grow.
  report(`page: grown in what scripts hold over the last ${TURNS - FULL} of them`, (await heap()) - early, 'MB', 1);
} finally {
  await long.close();
}
console.log(JSON.stringify(results, null, 2));
