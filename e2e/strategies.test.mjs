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

  test('nothing went wrong in the page meanwhile', () => assert.deepEqual(page.faults, []));
});
