// Room in the window and in core memory, where it takes more than a click: a summary, another try, a prompt that does not fit.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { join } from 'node:path';
import { out, say, violations, World } from './world.mjs';

const shot = (page, name) => page.screenshot({ path: join(out, `${name}.png`) });

const fact = 'Question number 3 was about the bicycle and the cellar';
const summary = { goals: '', decisions: '', facts: fact, open: '', preferences: '' };

describe('room', () => {
  let world;
  let page;
  let agent;
  let talk;
  before(async () => {
    world = await World.open({
      engine: ['--chunk-delay', '1ms'],
      fill: 100,
      script: { 'You keep the minutes of a chat': `[[say ${JSON.stringify(summary)}]]` },
    });
    agent = await world.ready();
    ({ page, talk } = await world.longTalk());
  });
  after(() => world.close());

  const main = () => page.locator('main');

  test('a summary is made in the background, and its record shows what stands for what left', async () => {
    await page.goto(new URL(`/#/context?in=${talk}`, world.link).href);
    await main().getByRole('combobox', { name: 'How' }).selectOption('summary');
    await main().getByRole('button', { name: 'Show what would leave' }).click();
    const room = main().getByRole('region', { name: 'Make room' });
    await room.getByText(/messages would leave/).waitFor();
    await room.getByRole('button', { name: 'Do it' }).click();
    await main()
      .getByText(/messages have left, ≈/)
      .waitFor();
    await main().getByRole('link', { name: 'See the compactions' }).click();
    const list = main().getByRole('list', { name: 'Compactions, newest first' });
    await list
      .getByRole('link', { name: /messages left the window.*summary/ })
      .first()
      .click();
    await main().getByText('done', { exact: true }).waitFor();
    const stands = main().getByRole('region', { name: 'Stands in for them' });
    await stands.getByText(fact).waitFor();
    await stands.getByText('In the messages, not in the summary').waitFor();
    await main()
      .getByRole('link', { name: /^Go to the message/ })
      .first()
      .waitFor();
    await shot(page, 'compaction-summary');
    assert.deepEqual(await violations(page), []);
    const chinese = await world.page({ language: 'zh-CN', path: `/${new URL(page.url()).hash}` });
    await chinese.locator('main').getByText(fact).waitFor();
    await shot(chinese, 'compaction-summary-zh');
    assert.deepEqual(await violations(chinese), []);
    await chinese.close();
    await main().getByRole('button', { name: 'Undo the compaction' }).click();
    await main().getByText('undone', { exact: true }).waitFor();
    assert.equal((await world.api('GET', `/conversations/${talk}/window`)).summary, '');
  });

  test('a compaction of core memory is tried in another way, adopted and undone', async () => {
    const lines = Array.from({ length: 20 }, (_, i) => `- Had noodles for lunch on day ${i + 1}, and it rained.`);
    const value = ['- Name: Mina', '- Likes jazz and long train rides.', ...lines].join('\n');
    await world.api('POST', `/agents/${agent.id}/blocks`, { label: 'human', value, limit: 2000 });
    const human = async () =>
      (await world.api('GET', `/agents/${agent.id}/core`)).blocks.find((b) => b.label === 'human').value;
    const { id } = await world.api('POST', `/agents/${agent.id}/core/compact`, {});
    await page.goto(new URL(`/#/context/compactions/${id}`, world.link).href);
    await main().getByRole('heading', { name: 'Compaction of core memory' }).waitFor();
    await main().getByText('done', { exact: true }).waitFor();
    const first = await human();
    assert.ok(first.includes('jazz') && !first.includes('noodles'));
    await main().getByRole('combobox', { name: 'Strategy' }).selectOption('score');
    await main().getByLabel('Goes first below importance').fill('9.5');
    await main().getByRole('button', { name: 'Try it, change nothing' }).click();
    await main()
      .getByRole('row', { name: /^Entries that leave 20 21$/ })
      .waitFor();
    assert.deepEqual(await violations(page), []);
    await shot(page, 'compaction-core-replay');
    assert.equal(await human(), first);
    await main().getByRole('link', { name: 'Open it' }).click();
    await main().getByText('only tried', { exact: true }).waitFor();
    await main().getByRole('button', { name: 'Adopt it' }).click();
    await main().getByText('done', { exact: true }).waitFor();
    assert.ok(!(await human()).includes('jazz'));
    assert.equal((await world.api('GET', `/compactions/${id}`)).state, 'undone');
    await main().getByRole('button', { name: 'Undo the compaction' }).click();
    await main().getByText('undone', { exact: true }).waitFor();
    assert.equal(await human(), value);
  });

  test('where the fixed parts do not fit, nothing is sent, and there are three ways out', async () => {
    await world.api('PATCH', '/settings', { window: 2048 });
    const fixed = 'This stays in view whatever happens. '.repeat(50);
    await world.api('POST', `/agents/${agent.id}/blocks`, { label: 'notes', value: fixed, limit: 2000, pinned: true });
    await page.goto(new URL('/#/new', world.link).href);
    const ways = ['Enlarge the window', 'Make room in core memory', 'Switch tools off'];
    const warned = page.getByRole('alert').filter({ hasText: /has room for/ }); // before anything is written
    for (const name of ways) await warned.getByRole('button', { name }).waitFor();
    const bar = page.getByText(/^Does not fit: [\d,]+ tokens, room for [\d,]+$/); // in place of the last plan that did
    await bar.waitFor();
    await say(page, 'Does this fit? [[say Now it does.]]');
    const note = page.getByRole('note').filter({ hasText: /a window of 2,?048 tokens has room for/ });
    await note.waitFor();
    assert.match(await note.textContent(), /The system prompt takes [\d,]+ tokens, tools [\d,]+ and core memory [\d,]+/);
    for (const name of ways) await note.getByRole('button', { name }).waitFor();
    await shot(page, 'overflow');
    assert.deepEqual(await violations(page), []);
    await bar.waitFor();
    const talking = page.url();
    for (const part of ['', '/checkup']) {
      await page.goto(new URL(`/#/context${part}?in=${page.url().split('/c/').at(-1)}`, world.link).href);
      for (const name of ways) await main().getByRole('note').getByRole('button', { name }).waitFor();
      assert.deepEqual(await violations(page), []);
      await page.goto(talking);
    }
    // What goes on in the background, as a judge of the core memory that is full now, is another matter.
    const answers = async () => (await world.api('GET', '/usage')).kinds.find(({ kind }) => kind === 'answer').total.calls;
    const calls = await answers();
    const here = page.url();
    await note.getByRole('button', { name: 'Make room in core memory' }).click();
    await page.getByRole('dialog', { name: 'Make room in core memory' }).waitFor();
    await page.keyboard.press('Escape');
    await note.getByRole('button', { name: 'Switch tools off' }).click();
    await main()
      .getByRole('group', { name: 'Tools' })
      .or(main().getByText('Tools', { exact: true }))
      .first()
      .waitFor();
    await page.goto(here);
    await note.getByRole('button', { name: 'Enlarge the window' }).click();
    await page.waitForFunction(() => location.hash === '#/settings/window');
    assert.equal(await answers(), calls);
    await world.api('PATCH', '/settings', { window: 8192 });
    await page.goto(here);
    await page.getByRole('button', { name: 'Answer again' }).first().click();
    await page.locator('article.answer[aria-busy="false"]', { hasText: 'Now it does.' }).waitFor();
    await page.getByRole('button', { name: /^Context window/ }).waitFor();
    await bar.waitFor({ state: 'detached' });
  });

  test('nothing went wrong in the page meanwhile', () => assert.deepEqual(page.faults, []));
});
