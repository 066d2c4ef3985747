// The context bar and the memory panel in the browser.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { join } from 'node:path';
import { World, answered, long, out, say, until, violations } from './world.mjs';

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

  test('it says how many more turns fit, as the page of the window does, and warns from 80 % on', async () => {
    await world.api('PATCH', '/settings', { window: 8192 });
    for (let n = 2; n <= 4; n++) {
      await say(page, `Message ${n} [[say ${'Some words of an answer. '.repeat(8)}]]`);
      await answered(page, n);
    }
    await bar().click();
    const said = /At ≈ [\d,]+ tokens a turn there is room for ≈ [\d,]+ more turns?\./;
    const pace = await plan().getByText(said).innerText();
    await plan()
      .getByRole('link', { name: /^What stands in the window/ })
      .click();
    await page.locator('main').getByText(said.exec(pace)[0]).waitFor();
    await page.goBack();
    await bar().waitFor();
    assert.equal(await bar().locator('.alarm').count(), 0);
    await page.locator('#composer').fill('A long draft of many words. '.repeat(340));
    await bar().locator('.alarm svg').waitFor();
    await bar().click();
    await plan().getByText('Over 80 % of the usable window is used.').waitFor();
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

describe('the page of the context', () => {
  let world;
  let page;
  let agent;
  let talk;
  let block;
  before(async () => {
    world = await World.open({ engine: ['--chunk-delay', '1ms'], fill: 100 });
    agent = await world.ready();
    await world.api('POST', '/passages', { agent_id: agent.id, text: 'The spare key lies under the blue flower pot.' });
    block = await world.api('POST', `/agents/${agent.id}/blocks`, { label: 'notes', value: 'Tea.', limit: 100 });
    ({ page, talk } = await world.longTalk());
  });
  after(() => world.close());

  const main = () => page.locator('main');
  const number = (n) => n.toLocaleString('en');
  const window = () => world.api('GET', `/conversations/${talk}/window`);

  test('the bar leads to what stands in the window, as the API tells it', async () => {
    await page.getByRole('button', { name: /^Context window/ }).click();
    await page.getByRole('link', { name: 'What stands in the window, and how room is made' }).click();
    await main().getByRole('heading', { name: 'Plan of the next request' }).waitFor();
    assert.equal(hash(page), `#/context?in=${talk}`);
    const { plan, items, forecast } = await window();
    await main().locator('tfoot').getByText(number(plan.prompt)).waitFor();
    await main()
      .getByText(`${number(plan.pins)} tokens of it are pinned`)
      .or(main().getByText('Nothing of it is pinned.'))
      .waitFor();
    // What is listed of a part adds up to what the plan says of it, in the API and on the page.
    const names = {
      system: 'System prompt',
      tools: 'Tools',
      core: 'Core memory',
      summary: 'Summary',
      recalled: 'Recalled',
      messages: 'Messages',
    };
    for (const [part, name] of Object.entries(names)) {
      const own = items.filter((item) => item.part === part);
      const { used } = plan.parts.find((one) => one.name === part);
      assert.equal(
        own.reduce((sum, item) => sum + item.tokens, 0),
        used,
        part,
      );
      if (own.length === 0) continue;
      const entries = `${number(own.length)} ${own.length === 1 ? 'entry' : 'entries'}`;
      await main()
        .getByRole('region', { name, exact: true })
        .getByText(new RegExp(`^${entries}\\s· (≈ )?${number(used)}$`))
        .waitFor();
      await main()
        .getByRole('row', { name: new RegExp(`^${name} .*\\b${number(used)}$`) })
        .waitFor();
    }
    assert.ok(forecast.turns > 0);
    await main()
      .getByText(/there is room for ≈ [\d,]+ more turns/)
      .waitFor();
    await main().getByText('Everything that was said is in the window.').waitFor();
    assert.deepEqual(await violations(page), []);
  });

  test('a block is listed as it is now, with what the prompt has of it; what is forgotten is out of it', async () => {
    const { id, label, value } = block.block;
    const core = main().getByRole('region', { name: 'Core memory', exact: true });
    const stale = core.getByText(/^changed: until the prompt begins anew it has the older text/);
    const write = async (text) => {
      await world.api('PATCH', `/blocks/${id}`, { value: text });
      await page.reload();
      await core.getByText(label, { exact: true }).waitFor();
    };
    await write(`My cat is called Mochi.\n${value}`);
    await core.getByText('My cat is called Mochi.').waitFor();
    await stale.waitFor();
    assert.deepEqual(await violations(page), []);
    await write(value);
    assert.equal(await core.getByText('Mochi').count(), 0);
    assert.equal(await stale.count(), 0);
  });

  test('a memory is found, put in, pinned and taken out again', async () => {
    const field = main().getByRole('textbox', { name: 'What is it about?' });
    await field.fill('Where is the spare key?');
    await field.press('Enter');
    const row = main().locator('li', { hasText: 'blue flower pot' });
    await row.getByRole('button', { name: 'Put in' }).click();
    const brought = main().getByRole('region', { name: 'Recalled' }).locator('li', { hasText: 'blue flower pot' });
    await brought.getByText('put in by you').waitFor();
    await brought.getByRole('button', { name: /^Pin/ }).click();
    await brought.getByRole('button', { name: /^Unpin/, pressed: true }).waitFor();
    await brought.getByRole('button', { name: /^Unpin/ }).click();
    await brought.waitFor({ state: 'detached' });
    assert.ok(!(await window()).items.some((item) => item.text.includes('blue flower pot')));
  });

  test('a dry run shows what would leave; then it is done, told in the list, and undone', async () => {
    await main().getByRole('combobox', { name: 'How' }).selectOption('sliding_window');
    const before = await window();
    await main().getByRole('button', { name: 'Show what would leave' }).click();
    const room = main().getByRole('region', { name: 'Make room' });
    await room.getByText(/messages would leave/).waitFor();
    assert.equal((await window()).items.length, before.items.length);
    await main().getByRole('button', { name: 'Do it' }).click();
    await main()
      .getByText(/messages left the window, [\d,]+ tokens saved/)
      .waitFor();
    await main()
      .getByText(/messages have left, ≈/)
      .waitFor();
    await main().getByRole('link', { name: 'See the compactions' }).click();
    const list = main().getByRole('list', { name: 'Compactions, newest first' });
    await list.getByRole('link').first().click();
    await main().getByRole('heading', { name: 'Compaction of messages' }).waitFor();
    const [made] = (await world.api('GET', `/compactions?conversation_id=${talk}`)).compactions;
    await main()
      .getByText(`${number(made.tokens_before)} → ${number(made.tokens_after)}`)
      .waitFor();
    await main().getByText('You asked for it.').waitFor();
    await main().getByText('messages that left the window', { exact: true }).waitFor();
    await main().locator('summary', { hasText: 'The window by part, before and after' }).waitFor();
    await main()
      .getByRole('link', { name: /^Go to the message/ })
      .nth(3)
      .waitFor();
    await shot(page, 'compaction');
    assert.deepEqual(await violations(page), []);
  });

  test('it is tried in another way beside it, and nothing changes', async () => {
    await main().getByRole('combobox', { name: 'Strategy' }).selectOption('priority');
    await main().getByLabel('Down to (%)').fill('15');
    const hint = await main().getByLabel('Only when more is used than (%)').getAttribute('aria-describedby');
    assert.match(await page.locator(`[id="${hint}"]`).textContent(), /Left empty, room is made in any case/);
    await main().getByRole('button', { name: 'Try it, change nothing' }).click();
    await main()
      .getByRole('row', { name: /Tokens saved/ })
      .waitFor();
    const { compactions } = await world.api('GET', `/compactions?conversation_id=${talk}`);
    assert.equal(compactions.find((c) => c.replays)?.state, 'tried');
    assert.equal(compactions.filter((c) => c.state === 'done').length, 1);
  });

  test('the mark in the margin of the chat opens its record', async () => {
    await page.goto(new URL(`/#/c/${talk}`, world.link).href);
    await page.locator('.mark').getByRole('link', { name: 'What left, and why' }).click();
    await main().getByRole('heading', { name: 'Compaction of messages' }).waitFor();
    await main().getByRole('button', { name: 'Undo the compaction' }).click();
    await main().getByText('undone', { exact: true }).waitFor();
    assert.equal((await window()).marker, null);
    await main().getByRole('button', { name: 'Do it again' }).click();
    await main().getByText('done', { exact: true }).waitFor();
  });

  test('core memory is looked at, tidied in the background, told, and one entry is put back', async () => {
    const lines = Array.from(
      { length: 22 },
      (_, i) => `- Had noodles for lunch on day ${i + 1}, and it rained in the afternoon.`,
    );
    const value = ['- Name: Mina', ...lines].join('\n');
    await world.api('POST', `/agents/${agent.id}/blocks`, { label: 'human', value, limit: 2000 });
    await page.goto(new URL(`/#/c/${talk}`, world.link).href);
    const panel = page.locator('aside.panel');
    await panel.getByRole('button', { name: 'Make room' }).click();
    const dialog = page.getByRole('dialog', { name: 'Make room in core memory' });
    await dialog.waitFor();
    await page.goBack(); // the dialog is not about where that leads to
    await dialog.waitFor({ state: 'detached' });
    await page.goForward();
    await panel.getByRole('button', { name: 'Make room' }).click();
    await dialog.getByRole('combobox', { name: 'Where' }).selectOption({ label: 'human' });
    await dialog.getByRole('button', { name: 'Show what would leave' }).click();
    await dialog.getByText(/entries would go to the archive/).waitFor();
    await dialog.getByText('Had noodles for lunch').first().waitFor();
    assert.deepEqual(await violations(page), []);
    await dialog.getByRole('button', { name: 'Make room' }).click();
    const told = page.locator('.toast', { hasText: 'Core memory was tidied' });
    await told.waitFor();
    await page.goto(new URL('/#/context/compactions', world.link).href);
    await main()
      .getByRole('link', { name: /went to the archive/ })
      .first()
      .click();
    await main().getByRole('heading', { name: 'Compaction of core memory' }).waitFor();
    await shot(page, 'compaction-core');
    assert.deepEqual(await violations(page), []);
    await main().getByText('is about weather').first().waitFor();
    const chinese = await world.page({ language: 'zh-CN', path: `/${new URL(page.url()).hash}` });
    await chinese.locator('main').getByText('说的是天气').first().waitFor();
    await chinese.close();
    const left = await main()
      .getByRole('button', { name: /^Put back/ })
      .count();
    assert.ok(left > 0);
    await main()
      .getByRole('button', { name: /^Put back/ })
      .first()
      .click();
    await main().getByText('was put back').waitFor();
    assert.equal(
      await main()
        .getByRole('button', { name: /^Put back/ })
        .count(),
      left - 1,
    );
    await main().getByRole('button', { name: 'Undo the compaction' }).click();
    await main().getByText('undone', { exact: true }).waitFor();
    const now = await world.api('GET', `/agents/${agent.id}/core`);
    assert.equal(now.blocks.find((b) => b.label === 'human').value.match(/noodles/g).length, 22);
  });

  test('usage is a chart and the same as a table, and is exported', async () => {
    await page.goto(new URL('/#/context/usage', world.link).href);
    await main()
      .getByRole('img', { name: /^Tokens of prompts and answers/ })
      .waitFor();
    assert.deepEqual(await violations(page), []);
    await main().getByRole('button', { name: 'As a table' }).click();
    const called = main().getByRole('group', { name: 'What models were called for' });
    const shown = async (where, figures) =>
      (await where.getByRole('row', { name: new RegExp(figures.map(number).join(' ')) }).count()) > 0;
    // What runs in the background is used meanwhile, and the page follows.
    const [{ kinds }] = await until(
      async () => {
        const report = await world.api('GET', `/usage?agent_id=${agent.id}`);
        const used = report.series.find((slice) => slice.total.output_tokens > 0);
        return [
          report,
          await shown(main(), [used.total.output_tokens]),
          ...(await Promise.all(
            report.kinds.map(({ total }) => shown(called, ['', total.calls, total.prompt_tokens, ''])),
          )),
        ];
      },
      ([, ...found]) => found.every(Boolean),
    );
    assert.equal(kinds[0].kind, 'answer');
    const download = page.waitForEvent('download');
    await main().getByRole('button', { name: 'Export CSV' }).click();
    assert.equal((await download).suggestedFilename(), 'usage.csv');
  });

  test('the check-up says what fills the window; the ruler counts; the reference habit costs 225 dollars', async () => {
    await page.goto(new URL(`/#/context/checkup?in=${talk}`, world.link).href);
    await main().getByText('Results of tools do not pile up: in order').waitFor();
    assert.deepEqual(await violations(page), []);
    const size = page.viewportSize();
    await page.setViewportSize({ width: 360, height: 640 });
    assert.deepEqual(await violations(page), []);
    await main().getByRole('region', { name: 'Check-up' }).focus();
    await page.keyboard.press('End');
    await page.waitForFunction(() => document.querySelector('main .page').scrollTop > 0);
    await page.setViewportSize(size);
    await page.goto(new URL('/#/context/tools', world.link).href);
    await main().getByRole('textbox', { name: 'Text to measure' }).fill('Hello world, this is Recollect.');
    await main().getByRole('combobox', { name: 'Show the tokens of' }).selectOption('cl100k');
    await main().locator('.pieces span', { hasText: 'Hello' }).first().waitFor();
    const row = main().getByRole('row', { name: /\$225\.00/ });
    await row.getByText('$0.0750').waitFor();
    await page.setViewportSize({ width: 1440, height: 900 });
    assert.ok(await row.evaluate((tr) => tr.closest('.table').scrollWidth <= tr.closest('.table').clientWidth));
    const daily = main().getByLabel('Conversations a day');
    for (const wrong of ['-5', '0', '1.5', '']) {
      await daily.fill(wrong);
      await main().getByText('Conversations and tokens are whole numbers from 1 on').waitFor();
      assert.equal(await daily.getAttribute('aria-invalid'), 'true');
      await daily.fill('100');
      await main().getByText('Conversations and tokens are whole').waitFor({ state: 'detached' });
    }
    await main().getByLabel('Read, parts').fill('0');
    await main().getByLabel('Written, parts').fill('0');
    await main().getByText('not both 0').waitFor();
    await main().getByLabel('Read, parts').fill('3');
    await main().getByLabel('Written, parts').fill('1');
    assert.deepEqual(await violations(page), []);
    await main().getByRole('button', { name: 'Remove GPT-4', exact: true }).click();
    await main().getByRole('button', { name: 'Table as it came' }).click();
    await main().getByRole('button', { name: 'Remove GPT-4', exact: true }).waitFor();
  });

  test('an experiment shows when a number is forgotten, as a chart and as a table', async () => {
    await page.goto(new URL('/#/context/experiments', world.link).href);
    const part = main().getByRole('region', { name: 'Forgetting' });
    await part.getByLabel('Turns').fill('5');
    await part.getByRole('button', { name: 'Start' }).click();
    await part.getByRole('img', { name: /^Tokens of the prompt after each turn/ }).waitFor(long);
    const last = part.getByRole('row').last();
    await last.getByRole('cell', { name: '5', exact: true }).waitFor();
    assert.match(await last.getByRole('cell').last().textContent(), /there/);
    await shot(page, 'forget');
    assert.deepEqual(await violations(page), []);
  });

  test('how room is made is set for the agent', async () => {
    await page.goto(new URL('/#/context/compactions', world.link).href);
    await main().locator('summary', { hasText: 'How room is made for' }).click();
    const field = main().getByLabel('Messages that a sliding window keeps');
    await field.fill('12');
    await field.press('Tab');
    await main().getByRole('button', { name: 'As everywhere: Messages that a sliding window keeps' }).waitFor();
    const { room } = await world.api('GET', `/agents/${agent.id}`);
    assert.equal(room.window_messages, 12);
    assert.deepEqual(await violations(page), []);
  });

  test('nothing went wrong in the page meanwhile', () => assert.deepEqual(page.faults, []));
});
