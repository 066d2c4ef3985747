// Facts in the browser: noted from what is said, replaced, found, changed by hand, asked about where something is pinned.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { answered, misfits, say, shot, violations, World } from './world.mjs';

describe('facts', () => {
  let world;
  let agent;
  let page;
  before(async () => {
    world = await World.open();
    agent = await world.ready();
    page = await world.page({ path: '/#/memory/facts' });
    await page.getByRole('heading', { name: 'No facts yet' }).waitFor();
  });
  after(() => world.close());

  const list = () => page.getByRole('region', { name: 'Facts', exact: true });
  const row = (value) => list().locator('li', { has: page.getByRole('link', { name: value, exact: true }) });
  const act = async (within, line, action) => {
    await within.getByRole('button', { name: `Actions for ${line}` }).click();
    await page.getByRole('menuitem', { name: action }).click();
  };
  const open = (hash) => page.evaluate((to) => (location.hash = to), hash);

  test('what the user says of themselves is noted under their message, and can be taken back', async () => {
    await shot(page, 'facts-empty');
    await open('#/new');
    await page.locator('#composer').waitFor();
    await say(page, 'Good morning. I live in Lyon.');
    await answered(page, 1);
    const noted = page.locator('.noted', { hasText: 'home = Lyon' });
    await noted.waitFor();
    await noted.getByRole('button', { name: /Undo/ }).click();
    await noted.getByText('taken back').waitFor();
    await noted.getByRole('button', { name: /Redo/ }).click();
    await noted.getByText('taken back').waitFor({ state: 'detached' });
    assert.deepEqual(await violations(page), []);
    await shot(page, 'facts-noted');
  });

  test('a newer statement takes the place of the older, which stays with its dates', async () => {
    await say(page, 'By the way, I moved to Ghent.');
    await answered(page, 2);
    await page.locator('.noted', { hasText: 'home = Ghent' }).getByRole('link').click();
    const view = page.getByRole('region', { name: 'home' });
    const history = view.getByRole('listitem');
    await history.filter({ hasText: 'Ghent' }).getByText('true now').waitFor();
    const older = history.filter({ hasText: 'Lyon' });
    await older.getByText(/ to |until /).waitFor();
    assert.equal(await older.getByRole('link', { name: 'from your message' }).count(), 1);
    assert.deepEqual(await violations(page), []);
    await shot(page, 'facts-history');
    await older.getByRole('link', { name: 'from your message' }).click();
    await page.locator('.slot.shown', { hasText: 'I live in Lyon' }).waitFor();
  });

  test('facts are written, found, changed, ended and deleted by hand, each with a way back', async () => {
    await open('#/memory/facts');
    await row('Ghent').waitFor();
    assert.equal(await row('Lyon').count(), 0);
    await page.getByRole('button', { name: 'Add a fact' }).click();
    const what = page.getByRole('combobox', { name: 'What' });
    await what.fill('tea '.repeat(30));
    await page.getByRole('alert').getByText('119 of 100 characters').waitFor();
    await page.getByLabel('Value').fill('Longjing');
    assert.ok(await page.getByRole('button', { name: 'Save' }).isDisabled());
    await what.fill('favourite tea');
    await page.getByLabel('Value').fill('Longjing');
    await page.getByLabel('Value').press('Enter');
    await row('Longjing').waitFor();
    await act(row('Longjing'), 'favourite tea = Longjing', 'Edit');
    await page.getByLabel('Value').fill('Oolong');
    await page.getByRole('button', { name: 'Save' }).click();
    await row('Oolong').waitFor();
    await act(row('Oolong'), 'favourite tea = Oolong', 'Delete');
    await row('Oolong').waitFor({ state: 'detached' });
    await page.locator('.toast', { hasText: 'Deleted: favourite tea' }).getByRole('button', { name: 'Undo' }).click();
    await row('Oolong').waitFor();
    await act(row('Oolong'), 'favourite tea = Oolong', 'No longer true');
    await row('Oolong').waitFor({ state: 'detached' });
    await page.getByLabel('Which facts').selectOption('all');
    await row('Oolong').waitFor();
    await row('Lyon').waitFor();
    await shot(page, 'facts-list');
    await page.getByRole('searchbox', { name: 'Search facts' }).fill('tea');
    await row('Lyon').waitFor({ state: 'detached' });
    assert.match(page.url(), /#\/memory\/facts\?q=tea&all=1/);
    assert.deepEqual(await violations(page), []);
    await page.getByRole('searchbox', { name: 'Search facts' }).fill('no such thing');
    await page.getByText('No fact says that.').waitFor();
  });

  test('what contradicts something pinned is asked under the answer, until it is answered', async () => {
    await open('#/memory/facts');
    await act(row('Ghent'), 'home = Ghent', 'Pin: ask before it changes');
    await row('Ghent').getByTitle('Pinned').waitFor();
    await open('#/new');
    await say(page, 'I live in Bruges now.');
    await answered(page, 1);
    const question = page.getByRole('region', { name: /than what is pinned/ });
    await question.getByText('Bruges').waitFor();
    assert.deepEqual(await violations(page), []);
    await shot(page, 'facts-question');
    await page.reload();
    await question.getByText('Ghent').waitFor();
    await question.getByRole('button', { name: 'Take the new one' }).click();
    await question.waitFor({ state: 'detached' });
    await open('#/memory/facts');
    await row('Bruges').getByTitle('Pinned').waitFor();
  });

  test('where a block has no room for what is said, the user is asked, and can make room', async () => {
    const { blocks } = await world.api('GET', `/agents/${agent.id}/core`);
    const human = blocks.find((block) => block.label === 'human');
    const before = { value: human.value, limit: human.limit };
    const line = 'Works at Bosch';
    await world.api('PATCH', `/blocks/${human.id}`, { value: line, limit: 20 }); // no more than 80 %, or it would be tidied
    await open('#/new');
    await say(page, 'I work at Siemens Healthineers now.');
    await answered(page, 1);
    const question = page.getByRole('region', { name: /has no room for what you said/ });
    await question.getByText(line).waitFor();
    assert.deepEqual(await violations(page), []);
    await shot(page, 'facts-no-room');
    await question.getByRole('button', { name: 'Take the new one' }).click();
    await page.locator('.toast', { hasText: /29 .*20/ }).waitFor();
    await world.api('PATCH', `/blocks/${human.id}`, { limit: 100 });
    await question.getByRole('button', { name: 'Take the new one' }).click();
    await question.waitFor({ state: 'detached' });
    assert.equal((await world.api('GET', `/blocks/${human.id}`)).value, 'Works at Siemens Healthineers');
    await world.api('PATCH', `/blocks/${human.id}`, before);
  });

  test('a question about it finds the fact first, and its receipt leads to it', async () => {
    await open('#/new');
    await say(page, 'Where do I live?');
    const answer = await answered(page, 1);
    await answer.locator('summary', { hasText: /recalled/i }).click();
    await answer.getByRole('link', { name: /fact/i }).first().click();
    await page.getByRole('region', { name: 'home' }).getByText('Bruges').waitFor();
  });

  test('what is to come has its day, and what is over the day on which that was said', async () => {
    await open('#/new');
    await say(page, 'I work at Acme. From next month I work at Ferro.');
    await answered(page, 1);
    await page.locator('.noted', { hasText: 'employer = Ferro' }).getByText(/from /).waitFor();
    await say(page, 'I used to live in Paris.');
    await answered(page, 2);
    await open('#/memory/facts?all=1');
    await row('Ferro')
      .getByText(/^from \d/)
      .waitFor();
    await row('Acme')
      .getByText(/ to |until /)
      .waitFor();
    assert.equal(await row('Acme').evaluate((li) => li.classList.contains('was')), false);
    await row('Paris').getByText('no longer, said on').waitFor();
    assert.deepEqual(await violations(page), []);
    await shot(page, 'facts-ahead');
  });

  test('in Chinese too', async () => {
    const chinese = await world.page({ language: 'zh-CN', path: '/#/new' });
    await say(chinese, '我养了一只猫，叫年糕。我对花生过敏。');
    await answered(chinese, 1);
    await chinese.locator('.noted', { hasText: '过敏 = 花生' }).waitFor();
    await shot(chinese, 'facts-noted-zh');
    await chinese.evaluate(() => (location.hash = '#/memory/facts'));
    await chinese.getByRole('region', { name: '事实', exact: true }).getByText('花生').waitFor();
    assert.deepEqual(await violations(chinese), []);
    await shot(chinese, 'facts-list-zh');
    assert.deepEqual(chinese.faults, []);
  });

  test('narrow, wide, light and dark', async () => {
    const { questions } = await world.api('GET', `/agents/${agent.id}/questions?open=true`);
    assert.deepEqual(questions, []);
    for (const [width, theme] of [
      [360, 'light'],
      [2560, 'dark'],
    ]) {
      const other = await world.page({ width, theme, path: '/#/memory/facts?all=1' });
      await other.getByRole('link', { name: 'Bruges', exact: true }).waitFor();
      await other.getByRole('button', { name: 'Add a fact' }).click();
      assert.deepEqual(await misfits(other), []);
      assert.deepEqual(await violations(other), []);
      await shot(other, `facts-list-${width}-${theme}`);
    }
    assert.deepEqual(page.faults, []);
  });
});
