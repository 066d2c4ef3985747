// The context bar and the memory panel in the browser.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { join } from 'node:path';
import { answered, out, say, violations, World } from './world.mjs';

const shot = (page, name) => page.screenshot({ path: join(out, `${name}.png`) });
const hash = (page) => decodeURIComponent(new URL(page.url()).hash.replaceAll('+', ' '));

describe('context bar', () => {
  let world;
  let page;
  let agent;
  before(async () => {
    world = await World.open({ engine: ['--chunk-delay', '1ms'] });
    agent = await world.ready();
    page = await world.page({ path: '/#/new' });
    await page.locator('#composer').waitFor();
  });
  after(() => world.close());

  const bar = () => page.getByRole('button', { name: /^Context window/ });
  const plan = () => page.getByRole('region', { name: 'Next request' });
  const number = (n) => n.toLocaleString('en');

  test('before the first message it shows the plan that the API makes', async () => {
    const { usable, prompt, window } = await world.api('GET', `/agents/${agent.id}/plan`);
    await bar()
      .getByText(`of ${number(usable)}`)
      .waitFor();
    await bar().click();
    await plan().getByText(number(window)).waitFor();
    await plan()
      .locator('tr', { hasText: 'Reserve for the answer' })
      .getByText(number(Math.min(4096, window / 4)))
      .waitFor();
    await plan().locator('tfoot').getByText(number(prompt)).waitFor();
    await plan()
      .getByText(/There is room for ≈ [\d,]+ more tokens/)
      .waitFor();
    assert.deepEqual(await violations(page), []);
    await page.keyboard.press('Escape');
    await plan().waitFor({ state: 'detached' });
    assert.match(await page.evaluate(() => document.activeElement.textContent), /Context window/);
  });

  test('after an answer the count of the engine stands in place of the estimate', async () => {
    await say(page, 'Hello [[say One two three.]]');
    await answered(page, 1);
    await page.waitForFunction(() => !/≈/.test(document.querySelector('.rest').textContent));
    const [{ id }] = (await world.api('GET', '/conversations')).conversations;
    const next = await world.api('GET', `/conversations/${id}/plan`);
    assert.ok(next.measured > 0);
    await bar().getByText(number(next.prompt)).waitFor();
    await bar().click();
    await plan()
      .getByText(`The engine has counted ${number(next.measured)} of these tokens`)
      .waitFor();
    await plan()
      .getByText(`cached ${number(next.cached)}`)
      .waitFor();
    assert.ok(
      Number.parseFloat(
        await plan()
          .locator('.cache b')
          .evaluate((b) => b.style.width),
      ) > 0,
    );
  });

  test('its table can be copied', async () => {
    await plan().getByRole('button', { name: 'Copy the table' }).click();
    await page.waitForFunction(() => /Copied/.test(document.querySelector('[data-testid=announcer]').textContent));
    const [head, ...rows] = (await page.evaluate(() => navigator.clipboard.readText())).split('\n');
    assert.equal(head, 'Part\tAllowed\tUsed');
    assert.equal(rows.length, 9);
    assert.match(rows.at(-1), /^Total sent\t\d+\t\d+$/);
    await page.keyboard.press('Escape');
  });

  test('it says how many more messages fit, and warns from 80 % on', async () => {
    await world.api('PATCH', '/settings', { window: 8192 });
    for (let n = 2; n <= 4; n++) {
      await say(page, `Message ${n} [[say ${'Some words of an answer. '.repeat(8)}]]`);
      await answered(page, n);
    }
    await bar().click();
    await plan()
      .getByText(/about \d+ more messages fit, with their answers/)
      .waitFor();
    await page.keyboard.press('Escape');
    assert.equal(await bar().locator('.alarm').count(), 0);
    await page.locator('#composer').fill('A long draft of many words. '.repeat(340));
    await bar().locator('.alarm svg').waitFor();
    await bar().click();
    await plan().getByText('Over 80 % of the window is used.').waitFor();
    await shot(page, 'context-80');
    assert.deepEqual(await violations(page), []);
  });

  test('in the panel the gauge follows what is written, and the archive opens as a page', async () => {
    await page.goto(new URL('/#/new', world.link).href);
    const panel = page.locator('aside.panel');
    await panel.locator('summary', { hasText: 'human' }).click();
    await panel.getByRole('button', { name: 'Edit human' }).first().click();
    await panel.getByRole('textbox', { name: 'Edit human' }).fill('Words and more words. '.repeat(60));
    await panel.getByText('1,320 / 2,000').waitFor();
    await panel.getByRole('textbox', { name: 'Edit human' }).press('Escape');
    await panel.getByText('0 / 2,000').first().waitFor();
    await world.api('POST', '/passages', { agent_id: agent.id, text: 'Comet is a bicycle.' });
    await panel.getByRole('tab', { name: 'Archive' }).click();
    await panel.getByRole('searchbox').fill('bicy');
    await panel.getByText('Comet is a bicycle.').waitFor();
    assert.deepEqual(await violations(page), []);
    await panel.getByRole('link', { name: 'Open the memory page' }).click();
    await page.locator('main').getByText('Comet is a bicycle.').waitFor();
    assert.equal(hash(page), '#/memory/archive?q=bicy');
  });

  test('nothing went wrong in the page meanwhile', () => assert.deepEqual(page.faults, []));
});
