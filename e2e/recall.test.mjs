// Recall in the browser: receipts with their scores, feedback on a memory, and the page where recall is tried.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { World, answered, misfits, say, shot, undo, violations } from './world.mjs';

const GARAGE = 'The gate code of the garage is 7391.';
const GARDEN = 'The gate code of the garden is 5512.';
const TEACHER = 'The violin teacher is called Aurelia Winterbottom.';

describe('recall', () => {
  let world;
  let page;
  let agent;
  before(async () => {
    world = await World.open({
      passages: 200,
      script: { '?': '[[say Let me see.]]', 'Good morning': '[[say Hello.]]' },
    });
    agent = await world.ready();
    for (const text of [GARAGE, GARDEN, TEACHER, '年糕是一只布偶猫，不吃鸡肉。']) {
      await world.api('POST', '/passages', { agent_id: agent.id, text });
    }
    page = await world.page();
  });
  after(() => world.close());

  const fresh = async () => {
    await page.evaluate(() => (location.hash = '#/new'));
    await page.locator('#composer').waitFor();
    await page.waitForFunction(() => !document.querySelector('article'));
  };
  const ask = async (text) => {
    await fresh();
    await say(page, text);
    const answer = await answered(page, 1);
    await answer.locator('.place summary').click();
    await answer.locator('table').waitFor();
    return answer;
  };
  const row = (within, text) => within.locator('tr', { has: within.page().getByText(text, { exact: true }) }).first();
  const taken = (within, text) => row(within, text).evaluate((r) => !r.classList.contains('off'));
  const number = (text) => Number(text.replace('−', '-'));

  test('a receipt says by what plan, where each memory stands, and what its score is made of', async () => {
    const answer = await ask('What is the gate code of the garden?');
    await answer.locator('summary', { hasText: /by rules\s· [\d,]+ tokens/ }).waitFor();
    const garden = row(answer, GARDEN);
    assert.equal(await taken(answer, GARDEN), true);
    assert.match(
      await garden.getByRole('link', { name: 'Open: Archive' }).getAttribute('href'),
      /^#\/memory\/archive\?passage=/,
    );
    const score = garden.getByRole('button', { name: /^Score/ });
    await score.press('Enter');
    assert.equal(await score.getAttribute('aria-expanded'), 'true');
    const parts = page.locator(`[id="${await score.getAttribute('aria-controls')}"] dd`);
    const values = (await parts.allTextContents()).map(number);
    const sum = values.slice(0, -1).reduce((a, b) => a + b, 0);
    assert.ok(values.length > 1 && Math.abs(sum - values.at(-1)) < 0.03, `${values}`);
    assert.deepEqual(await violations(page), []);
    await shot(page, 'recall-receipt');
  });

  test('“use less” by keyboard changes the next answer, is told, and is undone', async () => {
    let answer = await ask('What is the gate code of the garden?');
    assert.equal(await taken(answer, GARAGE), true);
    const menu = row(answer, GARAGE).getByRole('button', { name: /What to do with/ });
    await menu.press('Enter');
    await page.getByRole('menuitemradio', { name: 'Use as usual', checked: true }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await row(answer, GARAGE).getByText('use less').waitFor();
    answer = await ask('What is the gate code of the garden now?');
    assert.equal(await taken(answer, GARAGE), false);
    await row(answer, GARAGE).getByText('use less').waitFor();
    await row(answer, GARAGE)
      .getByRole('button', { name: /^Score/ })
      .click();
    await answer.getByText('What you said about it').waitFor();

    await row(answer, GARAGE)
      .getByRole('button', { name: /What to do with/ })
      .click();
    await page.getByRole('menuitemradio', { name: 'Always use' }).click();
    await page.getByText('It comes with every message from now on.').waitFor();
    answer = await ask('Good morning to you');
    assert.equal(await taken(answer, GARAGE), true);

    // Never in this conversation beats it; Undo of that lets it come again.
    await row(answer, GARAGE)
      .getByRole('button', { name: /What to do with/ })
      .click();
    await page.getByRole('menuitemradio', { name: 'Never in this conversation' }).click();
    await undo(page, 'It stays out of this conversation.');
    await row(answer, GARAGE).getByText('always use').waitFor();
    const { feedback } = await world.api('GET', `/agents/${agent.id}/feedback`);
    assert.deepEqual(
      feedback.map((f) => f.use),
      ['always'],
    );
  });

  test('recall is tried on its page, as in a turn, and feedback is taken back there', async () => {
    await page.evaluate(() => (location.hash = '#/memory/recall'));
    const field = page.getByRole('textbox', { name: 'A message to try' });
    await field.fill('Who is the violin teacher?');
    await field.press('Enter');
    await page.getByText(/would be recalled, [\d,]+ of [\d,]+ tokens/).waitFor();
    await page.getByText(/The floor for this message is 0\.\d\d\./).waitFor();
    const result = page.locator('.result');
    assert.equal(await taken(result, TEACHER), true);
    assert.equal(await taken(result, GARAGE), true, 'always');
    assert.match(page.url(), /q=Who\+is/);
    assert.ok((await result.locator('tr .text').count()) >= 2);

    const said = page.getByRole('listitem').filter({ hasText: GARAGE });
    await said.getByText('Always use').waitFor();
    await said.getByRole('button', { name: 'Take back' }).click();
    await page.getByText('You have said nothing about a memory yet.').waitFor();
    await undo(page, 'Taken back.');
    await said.waitFor();
    await said.getByRole('button', { name: 'Take back' }).click();
    await page.getByText('You have said nothing about a memory yet.').waitFor();

    await field.fill('qwertz asdf');
    await page.getByRole('button', { name: 'Try', exact: true }).click();
    await page.getByText('No memory has evidence enough, so that the floor is out of reach.').waitFor();
    assert.deepEqual(await violations(page), []);
    // What is tried is no message.
    const { conversations } = await world.api('GET', `/conversations?agent_id=${agent.id}&query=qwertz`);
    assert.deepEqual(conversations, []);
  });

  test('an answer by rule has no receipt and leaves no gap for one', async () => {
    const missing = [];
    page.on('response', (r) => r.status() === 404 && missing.push(r.url()));
    await world.api('PATCH', `/agents/${agent.id}`, {
      tools_off: (await world.api('GET', '/tools')).tools.map((t) => t.name),
    });
    await fresh();
    await say(page, 'Remember that my bicycle is called Comet.');
    const answer = await answered(page, 1);
    assert.equal(await answer.locator('.place').count(), 0);
    assert.equal(await answer.getByRole('button', { name: 'Search deeper' }).count(), 0);
    assert.deepEqual(missing, []);
    await world.api('PATCH', `/agents/${agent.id}`, { tools_off: [] });
  });

  test('“search deeper” answers again and the receipt says what became of it', async () => {
    await fresh();
    await say(page, 'Which animal do I have?');
    const answer = await answered(page, 1);
    await answer.getByRole('button', { name: 'Search deeper' }).click();
    await answer.getByText('2 of 2').waitFor();
    await answered(page, 1);
    await answer.locator('.place summary').click();
    await answer.getByText('You asked for it.').waitFor();
  });

  test('everything fits, in both languages and themes', async () => {
    for (const [language, question, theme] of [
      ['en-US', 'What is the gate code of the garden?', 'light'],
      ['zh-CN', '年糕不吃什么？', 'dark'],
    ]) {
      const other = await world.page({ language, theme, path: `/#/memory/recall?q=${encodeURIComponent(question)}` });
      await other.locator('.result table').waitFor();
      await other.locator('.result button[aria-expanded]').first().click();
      for (const width of [360, 1280, 2560]) {
        await other.setViewportSize({ width, height: 900 });
        assert.deepEqual(await misfits(other), [], `${language} at ${width}`);
        await shot(other, `recall-page-${language}-${width}`);
      }
      assert.deepEqual(await violations(other), [], language);
      assert.deepEqual(other.faults, []);
      await other.context().close();
    }
    assert.deepEqual(page.faults, []);
  });
});
