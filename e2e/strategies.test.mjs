// The comparison of the ways of making room, which plays a whole talk.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { join } from 'node:path';
import { out, violations, World } from './world.mjs';

describe('strategies', () => {
  let world;
  let page;
  before(async () => {
    world = await World.open();
    await world.ready();
    page = await world.page({ path: '/#/context/experiments' });
  });
  after(() => world.close());

  test('the strategies are compared beside the reference', async () => {
    const part = page.locator('main').getByRole('region', { name: 'Strategies compared' });
    await part.getByRole('button', { name: 'Start' }).click();
    await part.getByRole('row', { name: /^sliding window .*50–70 %/ }).waitFor({ timeout: 120_000 });
    await part.getByRole('row', { name: /^priority/ }).waitFor();
    await part.getByRole('row', { name: /^summary/ }).waitFor();
    await page.screenshot({ path: join(out, 'strategies.png') });
    assert.deepEqual(await violations(page), []);
  });

  test('recall finds by words, or with an embedder that is installed', async () => {
    const part = page.locator('main').getByRole('region', { name: 'Strategies compared' });
    await part.getByText('Recall by words.').waitFor();
    const { models } = await world.api('GET', '/models');
    const { name } = models.find((m) => m.embedding);
    await part.getByLabel('Recall').selectOption(name);
    await part.getByText('With a model or an embedder this takes minutes').waitFor();
    const sent = page.waitForRequest((r) => r.url().endsWith('/api/experiments/strategies'));
    await part.getByRole('button', { name: 'Start' }).click();
    assert.equal((await sent).postDataJSON().embedder, name);
    await part.getByRole('button', { name: 'Stop' }).click();
    await part.getByText('Stopped.').waitFor();
  });

  test('nothing went wrong in the page meanwhile', () => assert.deepEqual(page.faults, []));
});
