// Answers that come late, each held back until what it must not disturb has happened.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { World, answered, say, undo } from './world.mjs';

/** A promise with what fulfils it. */
function told() {
  let tell;
  const promise = new Promise((resolve) => (tell = resolve));
  return { promise, tell };
}

/**
 * Lets the other side do what the next such request asks for, and keeps its answer back: `come()` lets it through.
 * `held`: the request itself is kept back.
 */
async function late(page, method, url, { held = false } = {}) {
  const asked = told();
  const go = told();
  let taken = false;
  await page.route(url, async (route) => {
    if (taken || route.request().method() !== method) return route.fallback();
    taken = true;
    const response = held ? undefined : await route.fetch();
    asked.tell();
    await go.promise;
    await (held ? route.continue() : route.fulfill({ response }));
  });
  const come = async () => {
    const arrived = page.waitForResponse((r) => url.test(r.url()) && r.request().method() === method);
    go.tell();
    await (await arrived).finished();
    // The page has seen what came with it.
    await page.evaluate(() => new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen))));
    await page.unroute(url);
  };
  return { asked: asked.promise, come };
}

describe('answers that come late', () => {
  let world;
  let page;
  let agent;
  before(async () => {
    world = await World.open({ engine: ['--chunk-delay', '150ms'] }); // an answer takes a while
    agent = await world.ready();
    for (const text of [
      'The winter tyres are in the cellar.',
      'Comet is a steel tourer.',
      'The rent is due on the 3rd.',
    ])
      await world.api('POST', '/passages', { agent_id: agent.id, text });
    page = await world.page();
  });
  after(() => world.close());

  const go = (hash) => page.evaluate((to) => (location.hash = to), hash);
  const row = (text) => page.locator('.passage', { hasText: text });
  const status = (text) => page.getByRole('status').filter({ hasText: text });

  test('an earlier search stands in the place of no later one', async () => {
    await go('#/memory/archive');
    await row('rent').waitFor();
    const search = page.getByRole('searchbox', { name: 'Search the archive' });
    const first = await late(page, 'GET', /\/passages\?.*query=tyres.*by=words/);
    await search.fill('tyres');
    await first.asked;
    // What is listed and what is said of it belong together meanwhile.
    await status('3 passages').waitFor();
    await search.fill('tourer');
    await status('The best 1').waitFor();
    await first.come();
    await row('Comet').waitFor();
    assert.equal(await row('tyres').count(), 0);
    await search.fill('');
    await status('3 passages').waitFor();
  });

  test('a row that is gone takes no other one along', async () => {
    const gone = await late(page, 'DELETE', /\/api\/passages\//);
    const bin = row('Comet').getByRole('button', { name: 'Delete this passage' });
    await bin.dblclick();
    await gone.asked;
    await row('Comet').waitFor({ state: 'detached' });
    await status('2 passages').waitFor();
    await gone.come();
    await page.locator('.toast', { hasText: '“Comet is a steel tourer.” was deleted.' }).waitFor();
    assert.equal(await page.locator('.passage').count(), 2);
    assert.equal(await page.locator('.toast').count(), 1);
    await undo(page, 'Comet');
    await row('Comet').waitFor();
  });

  test('of changes made shortly one after the other none is lost', async () => {
    await go(`#/agents/${agent.id}`);
    const first = await late(page, 'PATCH', /\/api\/agents\//, { held: true });
    const boxes = page.getByRole('group', { name: 'Tools' }).getByRole('checkbox');
    await boxes.nth(0).uncheck();
    await first.asked;
    await boxes.nth(1).uncheck();
    const second = page.waitForResponse(
      (r) => r.request().method() === 'PATCH' && r.request().postData().includes(','),
    );
    await first.come();
    await (await second).finished();
    const kept = (await world.api('GET', '/agents')).agents.find((a) => a.id === agent.id);
    assert.equal(kept.tools_off.length, 2);
    assert.deepEqual(await boxes.evaluateAll((all) => all.slice(0, 2).map((box) => box.checked)), [false, false]);
    await world.api('PATCH', `/agents/${agent.id}`, { tools_off: [] });
  });

  test('an answer is shown to its end, though an earlier state of it comes last', async () => {
    await go('#/new');
    await say(page, 'Hello');
    await answered(page, 1);
    const before = await late(page, 'GET', /\/conversations\/[^/]+\/messages\?/);
    await say(page, 'Hello again [[say One two three four five six seven eight nine ten eleven twelve.]]');
    await before.asked;
    const stop = page.getByRole('button', { name: /^Stop/ });
    await stop.waitFor();
    await stop.waitFor({ state: 'detached' });
    await before.come();
    await answered(page, 2);
    assert.equal(await page.locator('article.answer').count(), 2);
  });

  test('who has gone elsewhere while a message is sent stays there, and it is sent', async () => {
    await go('#/new');
    const made = await late(page, 'POST', /\/api\/conversations$/);
    await say(page, 'Precious words');
    await made.asked;
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Memory', exact: true }).first().click();
    await page.getByRole('heading', { name: /^In the window of/ }).waitFor();
    const sent = page.waitForResponse((r) => /\/messages$/.test(r.url()) && r.request().method() === 'POST');
    await made.come();
    assert.ok((await sent).ok());
    assert.match(page.url(), /#\/memory/);
    await page.getByRole('link', { name: 'Precious words' }).first().click();
    await page.locator('article.user', { hasText: 'Precious words' }).waitFor();
  });

  test('what is being written in a field stays there, and holds in the end', async () => {
    await go(`#/agents/${agent.id}`);
    const window = page.getByRole('spinbutton', { name: /^Context window/ });
    const first = await late(page, 'PATCH', /\/api\/agents\//);
    await window.fill('4096');
    await window.press('Enter');
    await first.asked;
    await window.fill('8192');
    await first.come();
    assert.equal(await window.inputValue(), '8192');
    const second = page.waitForResponse(
      (r) => r.request().method() === 'PATCH' && r.request().postData().includes('8192'),
    );
    await window.press('Tab');
    await (await second).finished();
    assert.equal(await window.inputValue(), '8192');
    // What another window changes is shown, once nobody writes here.
    await world.api('PATCH', `/agents/${agent.id}`, { window: 0 });
    await page.waitForFunction((field) => field.value === '', await window.elementHandle());
  });

  test('a message that is taken back goes where it was written, not where the user is by then', async () => {
    await go('#/new');
    await say(page, 'A long story, please. [[slow 500]] [[long 20]]'); // it goes on until it is stopped
    await page.locator('article.answer[aria-busy="true"]').waitFor();
    const told = page.url();
    await say(page, 'And another one');
    const taken = await late(page, 'POST', /\/withdraw$/);
    const waiting = page.locator('article.user', { hasText: 'And another one' });
    await waiting.getByRole('button', { name: 'Take back' }).click();
    await taken.asked;
    await page.locator('#composer').fill('Not to be lost');
    await go('#/new');
    const composer = page.locator('#composer');
    await page.getByRole('heading', { name: /^Write to/ }).waitFor();
    await composer.fill('Something else');
    await taken.come();
    assert.equal(await composer.inputValue(), 'Something else');
    await page.goto(told);
    await page.waitForFunction(
      () => document.getElementById('composer')?.value === 'Not to be lost\n\nAnd another one',
    );
    await composer.fill('');
    await composer.press('Escape');
    await page.locator('article.answer').getByText('Stopped by you').waitFor();
    await go('#/new');
    await composer.fill('');
  });

  test('a message goes where it was written, though its document is read when the user is elsewhere', async () => {
    await go('#/new');
    await say(page, 'A place for papers [[say Good.]]');
    await page.locator('article.answer[aria-busy="false"]', { hasText: 'Good.' }).waitFor();
    const papers = /#\/c\/([^?]+)/.exec(page.url())[1];
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Attach files' }).click();
    await (
      await choosing
    ).setFiles([{ name: 'lease.txt', buffer: Buffer.from('The lease ends in May.'), mimeType: 'text/plain' }]);
    await page.getByRole('combobox', { name: 'Where lease.txt goes' }).selectOption('archive');
    const read = await late(page, 'POST', /\/documents/);
    await say(page, 'Here is the lease');
    await read.asked;
    await go('#/new');
    await page.getByRole('heading', { name: /^Write to/ }).waitFor();
    const sent = page.waitForResponse((r) => /\/messages$/.test(r.url()) && r.request().method() === 'POST');
    await read.come();
    assert.ok((await sent).url().includes(papers));
    assert.match(page.url(), /#\/new/);
    await go(`#/c/${papers}`);
    await page.locator('article.user', { hasText: 'Here is the lease' }).waitFor();
    await page.waitForFunction(() => document.getElementById('composer')?.value === '');
  });

  test('an edit of a message that was begun is there when the user comes back', async () => {
    const mine = page.locator('article.user', { hasText: 'Here is the lease' });
    await mine.hover();
    await mine.getByRole('button', { name: 'Edit the message' }).click();
    const talk = page.url();
    const field = page.getByRole('textbox', { name: 'Edit the message' });
    await field.fill('Here is the lease of the flat');
    await go('#/memory');
    await page.getByRole('heading', { name: /^In the window of/ }).waitFor();
    await page.goto(talk);
    await field.waitFor();
    assert.equal(await field.inputValue(), 'Here is the lease of the flat');
    await field.press('Escape');
    await mine.hover();
    await mine.getByRole('button', { name: 'Edit the message' }).click();
    assert.equal(await field.inputValue(), 'Here is the lease');
    await field.press('Escape');
  });

  test('nothing went wrong in the page meanwhile', () => assert.deepEqual(page.faults, []));
});
