// The first run, and getting in, in Chromium against `recollect serve` with the fake engine.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { join } from 'node:path';
import { answered, out, say, violations, World } from './world.mjs';

const shot = (page, name) => page.screenshot({ path: join(out, `${name}.png`) });

describe('first run', () => {
  let world;
  before(async () => (world = await World.open()));
  after(() => world.close());

  test('says what the starter cannot do, in the language of the user, and begins with one click', async () => {
    const chinese = await world.page({ language: 'zh-CN' });
    await chinese.getByRole('heading', { name: '对话用的模型' }).waitFor();
    assert.match(await chinese.locator('main').innerText(), /几乎不懂中文/);
    assert.deepEqual(await violations(chinese), []);
    await shot(chinese, 'first-run-zh');
    assert.deepEqual(chinese.faults, []);
    await chinese.context().close();

    const page = await world.page({ theme: 'dark' });
    await page.getByRole('button', { name: 'Begin' }).waitFor();
    assert.match(await page.locator('main').innerText(), /knows hardly any Chinese/);
    assert.deepEqual(await violations(page), []);
    await page
      .locator('main')
      .getByRole('button', { name: /^Chosen: / })
      .waitFor();
    await shot(page, 'first-run-dark');
    await page.getByRole('button', { name: 'Begin' }).click();
    await say(page, 'Hello there');
    const answer = await answered(page, 1);
    assert.match(await answer.innerText(), /Hello there/);
    assert.deepEqual(page.faults, []);
    await page.context().close();
  });

  test('the token does not stay in the address', async () => {
    const page = await world.page();
    await page.locator('#composer').waitFor();
    assert.doesNotMatch(page.url(), /token/);
    await page.context().close();
  });

  test('without the token there is nothing to see, and the page says how to get in', async () => {
    const context = await world.browser.newContext();
    const page = await context.newPage();
    await page.goto(new URL('/', world.link).href);
    await page.getByText('recollect serve').waitFor();
    await context.close();
  });
});
