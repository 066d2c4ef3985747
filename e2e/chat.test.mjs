// The chat in Chromium: long conversations, what answers are made of, and writing.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { answered, say, shot, violations, World } from './world.mjs';

const scroller = (page) => page.getByRole('log');
const top = (page) => scroller(page).evaluate((e) => e.scrollTop);
const fromEnd = (page) => scroller(page).evaluate((e) => e.scrollHeight - e.scrollTop - e.clientHeight);
/** The text of the entry that is nearest to the middle of what is shown. */
const inSight = (page) =>
  scroller(page).evaluate((e) => {
    const box = e.getBoundingClientRect();
    const middle = box.top + box.height / 2;
    const slots = [...e.querySelectorAll('.slot')];
    const distance = (s) => Math.abs((s.getBoundingClientRect().top + s.getBoundingClientRect().bottom) / 2 - middle);
    return slots.sort((a, b) => distance(a) - distance(b))[0].textContent;
  });

describe('a conversation of two thousand messages', () => {
  let world, page, id;
  before(async () => {
    world = await World.open({ fill: 2000 });
    await world.ready();
    id = (await world.api('GET', '/conversations')).conversations[0].id;
    page = await world.page({ path: `#/c/${id}` });
    await page.getByText('Answer number 2000.').waitFor();
  });
  after(() => world.close());

  test('opens at its end and holds only a stretch of it', async () => {
    await page.waitForFunction(() => {
      const e = document.querySelector('[role=log]');
      return e.scrollHeight - e.scrollTop - e.clientHeight < 2;
    });
    assert.ok((await page.locator('article').count()) <= 120);
  });

  test('earlier messages come as one reads back, and nothing jumps', async () => {
    const seen = new Set();
    await scroller(page).focus();
    for (let i = 0; i < 40; i++) {
      await page.keyboard.press('PageUp');
      await page.waitForFunction(() => new Promise((done) => requestAnimationFrame(() => done(true))));
      const n = Number(/number (\d+)/.exec(await inSight(page))?.[1]);
      if (seen.size > 0) assert.ok(n <= Math.min(...seen) + 1, `read back to ${Math.min(...seen)}, then came ${n}`);
      seen.add(n);
    }
    assert.ok(Math.min(...seen) < 1900, `got only to ${Math.min(...seen)}`);
    assert.ok((await page.locator('article').count()) <= 300);
    await page.getByRole('button', { name: 'Jump to the latest message' }).click();
    await page.getByText('Answer number 2000.').waitFor();
    assert.ok((await fromEnd(page)) < 2);
  });

  test('a link leads to a message anywhere in it', async () => {
    await page.goto(`${new URL(world.link).origin}/#/c/${id}?m=message-00000347`);
    await page.locator('[data-entry="message-00000347"]').waitFor();
    await page.waitForFunction(() => {
      const box = document.querySelector('[data-entry="message-00000347"]').getBoundingClientRect();
      return box.top > 0 && box.bottom < innerHeight;
    });
    // An answer that is written meanwhile does not pull the reader to the end.
    const before = await top(page);
    await world.api('POST', `/conversations/${id}/messages`, { content: 'From another window' });
    await page.getByTestId('announcer').filter({ hasText: 'Answer complete' }).waitFor();
    assert.equal(await top(page), before);
    // Reading on towards the end brings the later messages.
    await scroller(page).focus();
    for (let i = 0; i < 30; i++) {
      await page.keyboard.press('PageDown');
      await page.waitForFunction(() => new Promise((done) => requestAnimationFrame(() => done(true))));
    }
    assert.ok(Number(/number (\d+)/.exec(await inSight(page))?.[1]) > 380);
    // What one sends is shown, wherever one reads.
    await say(page, 'Now from here');
    await page.locator('article.answer', { hasText: 'Now from here' }).waitFor();
    await page.waitForFunction(() => {
      const e = document.querySelector('[role=log]');
      return e.scrollHeight - e.scrollTop - e.clientHeight < 2;
    });
  });

  test('words are found in all of it, English and Chinese, with their number, one by one', async () => {
    await say(page, '我的猫叫年糕');
    await page.locator('article.answer', { hasText: '年糕' }).waitFor();
    await page.keyboard.press('Control+f');
    const find = page.getByRole('search', { name: 'Find in this conversation' });
    const field = find.getByRole('searchbox');
    await field.fill('NUMBER 1233,');
    await find.getByText('1 of 1 messages').waitFor();
    assert.match(await inSight(page), /number 123[2-4]/);
    await field.fill('number 77');
    await find.getByText('1 of 11 messages').waitFor();
    await field.press('Enter');
    await find.getByText('2 of 11 messages').waitFor();
    await find.getByRole('button', { name: 'Later message with these words' }).click();
    await find.getByText('1 of 11 messages').waitFor();
    await page.waitForFunction(() => CSS.highlights.get('find-here')?.size > 0);
    await field.fill('年糕');
    await find.getByText('1 of 2 messages').waitFor();
    await page.waitForFunction(() => CSS.highlights.get('find-here')?.size === 1);
    await field.fill('nowhere at all');
    await find.getByText('Not found').waitFor();
    assert.deepEqual(await violations(page), []);
    await shot(page, 'chat-find');
    await field.press('Escape');
    await find.waitFor({ state: 'detached' });
    assert.equal(await page.evaluate(() => CSS.highlights.size), 0);
  });

  test('a day leads to its first message', async () => {
    await page.keyboard.press('Control+f');
    const day = new Date(Date.now() - 50 * 86_400_000);
    const iso = `${day.getFullYear()}-${String(day.getMonth() + 1).padStart(2, '0')}-${String(day.getDate()).padStart(2, '0')}`;
    await page.getByLabel('Go to a day').fill(iso);
    await page.waitForFunction((wanted) => {
      const shown = document.querySelector('.slot.shown time')?.dateTime;
      return shown && new Date(shown).toDateString() === wanted;
    }, day.toDateString());
    await page.keyboard.press('Escape');
    assert.deepEqual(page.faults, []);
  });
});

describe('what an answer is made of', () => {
  let world, page;
  before(async () => {
    world = await World.open();
    await world.ready();
    page = await world.page();
  });
  after(() => world.close());

  test('code is highlighted once it is finished, and copied as it was written', async () => {
    const code = 'def f(x):\n    return "```"  # <b>';
    await say(page, `[[say Look:\n\n\`\`\`\`python\n${code}\n\`\`\`\`\n\nThat is all.]]`);
    const answer = await answered(page, 1);
    await answer.locator('code .k').first().waitFor();
    assert.equal(await answer.locator('pre code').innerText(), code);
    await answer.getByRole('button', { name: 'Copy code' }).click();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), code);
  });

  test('mathematics is set with fonts of our own, money is left alone', async () => {
    const asked = [];
    page.on('request', (r) => asked.push(r.url()));
    await say(page, '[[say The area is \\(\\pi r^2\\), it costs $5 or $6.\n\n$$\nE = mc^2\n$$\n\nDone.]]');
    const answer = await answered(page, 2);
    await answer.locator('.math .katex').nth(1).waitFor();
    assert.equal(await answer.locator('.math').count(), 2);
    assert.match(await answer.innerText(), /it costs \$5 or \$6\./);
    await page.waitForFunction(() => [...document.fonts].some((f) => f.family.startsWith('KaTeX') && f.status === 'loaded'));
    const { origin } = new URL(world.link);
    assert.deepEqual(
      asked.filter((url) => new URL(url).origin !== origin),
      [],
    );
    assert.deepEqual(await violations(page), []);
    await shot(page, 'chat-math');
  });
});
