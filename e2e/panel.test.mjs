// The memory panel beside the chat: blocks edited in place, conflicts, history, the archive.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { join } from 'node:path';
import { World, out, undo, violations } from './world.mjs';

const shot = (page, name) => page.screenshot({ path: join(out, `${name}.png`) });
const panel = (page) => page.locator('aside.panel');
const block = (page, label) =>
  panel(page).locator('details', {
    has: page.locator(`b:text-is("${label}")`),
  });

describe('memory', () => {
  let world;
  let page;
  let agent;
  before(async () => {
    world = await World.open();
    agent = await world.ready();
    page = await world.page();
    await page.locator('#composer').waitFor();
  });
  after(() => world.close());

  const current = async (label) =>
    (await world.api('GET', `/agents/${agent.id}/core`)).blocks.find((b) => b.label === label);
  const edit = async (label, text) => {
    if (!(await block(page, label).evaluate((d) => d.open))) await block(page, label).locator('summary').click();
    await block(page, label)
      .getByRole('button', { name: `Edit ${label}` })
      .first()
      .click();
    const field = block(page, label).getByRole('textbox', {
      name: `Edit ${label}`,
    });
    await field.fill(text);
    return field;
  };

  test('a block is edited in place, with its counter, and the meters follow', async () => {
    await edit('human', 'Called Mina.');
    await block(page, 'human').getByText('12 of 2,000 characters').waitFor();
    await block(page, 'human').getByRole('button', { name: 'Save' }).click();
    await block(page, 'human').getByRole('textbox').waitFor({ state: 'detached' });
    await block(page, 'human').getByText('12 / 2,000').waitFor();
    assert.equal((await current('human')).value, 'Called Mina.');
  });

  test('over the limit nothing can be saved, and it says by how much', async () => {
    const field = await edit('human', 'x'.repeat(30_003));
    await block(page, 'human').getByText('28,003 too many').waitFor();
    await block(page, 'human')
      .getByText(/\s· ≈? ?[\d,]+ tokens/)
      .waitFor();
    const { x, width } = await field.boundingBox();
    assert.ok(
      x + width <= page.viewportSize().width,
      'the field stays in the panel, however much there is to say below it',
    );
    assert.equal(await block(page, 'human').getByRole('button', { name: 'Save' }).isDisabled(), true);
    await block(page, 'human').getByRole('button', { name: 'Cancel' }).click();
  });

  test('a change from elsewhere during an edit becomes a choice, and both can be kept', async () => {
    const before = await current('human');
    await world.api('PATCH', `/blocks/${before.id}`, {
      value: 'Called Mina.\nHas a cat.',
    });
    await block(page, 'human').getByText('Has a cat.').waitFor();
    await edit('human', 'Called Mina, 34.\nHas a cat.');
    await world.api('PATCH', `/blocks/${before.id}`, {
      value: 'Called Mina.\nHas a cat called Niangao.',
    });
    await block(page, 'human').getByText('was changed while you were editing').waitFor();
    assert.equal((await current('human')).value, 'Called Mina.\nHas a cat called Niangao.');
    await shot(page, 'conflict');
    assert.deepEqual(await violations(page), []);
    await block(page, 'human').getByRole('button', { name: 'Combine both' }).click();
    await block(page, 'human').getByRole('textbox').waitFor({ state: 'detached' });
    assert.equal((await current('human')).value, 'Called Mina, 34.\nHas a cat called Niangao.');
  });

  test('changes to the same line: mine or theirs, never silently', async () => {
    const before = await current('human');
    await edit('human', 'Called Mina, 35.');
    await world.api('PATCH', `/blocks/${before.id}`, {
      value: 'Called Mina, 36.',
    });
    await block(page, 'human').getByRole('button', { name: 'Keep theirs' }).waitFor();
    assert.equal(await block(page, 'human').getByRole('button', { name: 'Combine both' }).count(), 0);
    await block(page, 'human').getByRole('button', { name: 'Save mine' }).click();
    await block(page, 'human').getByRole('textbox').waitFor({ state: 'detached' });
    assert.equal((await current('human')).value, 'Called Mina, 35.');
  });

  test('the gauge has its 80 % line, says how far it is, and warns in words and colour once it is passed', async () => {
    const gauge = panel(page).getByRole('meter', { name: 'Core memory' });
    const red = await page.evaluate(() => {
      const probe = document.body.appendChild(document.createElement('i'));
      probe.style.color = 'var(--alarm)';
      const { color } = getComputedStyle(probe);
      probe.remove();
      return color;
    });
    const colours = () => gauge.locator('b').evaluateAll((all) => all.map((b) => getComputedStyle(b).backgroundColor));
    const near = async (element, share) => {
      const [box, of] = [await element.boundingBox(), await gauge.boundingBox()];
      assert.ok(Math.abs(box.x + box.width / 2 - (of.x + share * of.width)) < 1.5, `${box.x} is not at ${share}`);
    };
    await near(gauge.locator('i'), 0.8);
    await near(panel(page).getByText('80 %', { exact: true }), 0.8);
    await panel(page)
      .getByText(/^≈ [\d,]+ tokens until the 80 % line$/)
      .waitFor();
    const says = (text) => panel(page).getByRole('meter', { name: 'Core memory', description: text }).waitFor();
    await says(/until the 80 % line/);
    assert.ok(!(await colours()).includes(red));

    const { id, value, limit } = await current('persona');
    const { budget, tokens } = await world.api('GET', `/agents/${agent.id}/core`);
    await world.api('PATCH', `/blocks/${id}`, {
      value: `${value}\n${'word '.repeat(0.9 * budget - tokens)}`,
      limit: 100_000,
    });
    await says('Over the 80 % line.');
    assert.match(await gauge.getAttribute('aria-valuetext'), /^[\d,]+ of [\d,]+ tokens, (8[1-9]|9\d) %$/);
    await near(gauge.locator('i'), 0.8);
    const over = (await colours()).indexOf(red);
    assert.ok(over > 0, 'what is over the line is not drawn as such');
    const { x } = await gauge.locator('b').nth(over).boundingBox();
    assert.ok(Math.abs(x - (await gauge.locator('i').boundingBox()).x) < 1.5);
    assert.deepEqual(await violations(page), []);
    await world.api('PATCH', `/blocks/${id}`, { value, limit });
    await says(/until the 80 % line/);
  });

  test('the history shows each change and restores an old version', async () => {
    await block(page, 'human').getByRole('button', { name: 'History of human' }).click();
    const history = block(page, 'human').getByRole('region', {
      name: 'History of human',
    });
    await history.locator('del', { hasText: '36' }).waitFor();
    await page.setViewportSize({ width: 1280, height: 800 });
    const wider = await panel(page).evaluate((aside) =>
      [...aside.querySelectorAll('*')].some(
        (e) => e.scrollWidth > e.clientWidth && getComputedStyle(e).overflowX === 'auto',
      ),
    );
    assert.equal(wider, false, 'the panel scrolls sideways');
    await shot(page, 'history');
    await history.getByRole('button', { name: 'Restore this version' }).first().click();
    await page.waitForFunction(() => document.querySelector('aside .value')?.textContent?.includes('36'));
    assert.equal((await current('human')).value, 'Called Mina, 36.');
  });

  test('pin and read-only are switches', async () => {
    const pin = block(page, 'human').getByRole('button', {
      name: /^(Pin|Unpin)\./,
    });
    const was = (await current('human')).pinned;
    await pin.click();
    await page.waitForFunction(
      (now) =>
        document.querySelector('aside [aria-label*="pin" i][aria-pressed]')?.getAttribute('aria-pressed') === now,
      String(!was),
    );
    await block(page, 'human')
      .getByRole('button', { name: /^Read-only\./ })
      .click();
    await block(page, 'human').getByRole('img', { name: 'Read-only' }).waitFor();
    assert.equal((await current('human')).read_only, true);
  });

  test('a new block appears, a deleted one comes back with Undo', async () => {
    await panel(page).getByRole('button', { name: 'New block' }).click();
    await panel(page).getByLabel('Name').fill('rides');
    await panel(page).getByLabel('Text').fill('87.4 km in week 45');
    await panel(page).getByRole('button', { name: 'Create block' }).click();
    await block(page, 'rides').locator('summary').click();
    await block(page, 'rides').getByRole('button', { name: 'Delete: rides' }).click();
    await block(page, 'rides').waitFor({ state: 'detached' });
    await undo(page, 'rides was deleted.');
    await block(page, 'rides').waitFor();
    assert.equal((await current('rides')).value, '87.4 km in week 45');
  });

  test('a name that is taken is refused with the reason', async () => {
    await panel(page).getByRole('button', { name: 'New block' }).click();
    await panel(page).getByLabel('Name').fill('rides');
    await panel(page).getByRole('button', { name: 'Create block' }).click();
    await panel(page).getByRole('alert').waitFor();
    await panel(page).getByRole('button', { name: 'Cancel' }).click();
  });

  test('the archive: add, find, delete, undo', async () => {
    await page.getByRole('tab', { name: 'Archive' }).click();
    await panel(page).getByText('Nothing is archived yet').waitFor();
    assert.deepEqual(await violations(page), []);
    for (const text of ['Niangao was sick on 2 November', '自行车叫彗星']) {
      await panel(page).getByRole('button', { name: 'Add a passage' }).first().click();
      await panel(page).getByLabel('Text of the passage').fill(text);
      await panel(page).getByRole('button', { name: 'Add', exact: true }).click();
      await panel(page).getByText(text).waitFor();
    }
    await panel(page).getByRole('searchbox').fill('彗星');
    // By meaning others may follow, but what has the words comes first.
    await panel(page).locator('li').first().getByText('自行车叫彗星').waitFor();
    await panel(page).getByRole('button', { name: 'Delete this passage' }).first().click();
    await panel(page).getByText('自行车叫彗星').waitFor({ state: 'detached' });
    await undo(page, '自行车叫彗星');
    await panel(page).getByText('自行车叫彗星').waitFor();
  });

  test('nothing went wrong in the page meanwhile', () => assert.deepEqual(page.faults, []));
});
