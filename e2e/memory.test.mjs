// The memory page in the browser: blocks and archive.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { join } from 'node:path';
import { compose, out, undo, until, violations, World } from './world.mjs';

const shot = (page, name) => page.screenshot({ path: join(out, `${name}.png`) });
const hash = (page) => decodeURIComponent(new URL(page.url()).hash.replaceAll('+', ' '));

describe('blocks', () => {
  let world;
  let page;
  let agent;
  let tutor;
  before(async () => {
    world = await World.open();
    agent = await world.ready();
    tutor = await world.api('POST', '/agents', { name: 'Tutor' });
    page = await world.page({ path: '/#/memory' });
    await page.getByRole('heading', { name: `In the window of ${agent.name}` }).waitFor();
  });
  after(() => world.close());

  const core = async (of = agent) => (await world.api('GET', `/agents/${of.id}/core`)).blocks;
  const find = async (label) => (await core()).find((b) => b.label === label);
  const entry = (label) => page.locator('.list a', { has: page.locator(`b:text-is("${label}")`) });
  const detail = () => page.locator('article');
  const open = async (label) => {
    await entry(label).first().click();
    await detail().getByRole('heading', { name: label, exact: true }).waitFor();
  };
  const meter = () => page.getByRole('meter', { name: 'Core memory' }).getAttribute('aria-valuenow');
  const history = () => page.getByRole('region', { name: /^History of/ }).getByRole('listitem');

  test('a new block is created, shown, and stands in the address', async () => {
    await page.getByRole('button', { name: 'New block' }).click();
    await page.getByRole('textbox', { name: 'Name' }).first().fill('ride log');
    await page.getByRole('textbox', { name: 'Text' }).fill('Week 45: 87 km.');
    await page.getByRole('button', { name: 'Create block' }).click();
    await detail().getByRole('heading', { name: 'ride log' }).waitFor();
    assert.equal(hash(page), `#/memory/blocks?block=${(await find('ride log')).id}`);
    await page.reload();
    await detail()
      .getByRole('button', { name: /Week 45: 87 km/ })
      .waitFor();
    assert.deepEqual(await violations(page), []);
    await shot(page, 'memory-blocks');
  });

  test('while it is written its meter, its tokens and the gauge of all core memory follow', async () => {
    const gauge = Number(await meter());
    await detail().getByRole('button', { name: 'Edit', exact: true }).click();
    const field = page.getByRole('textbox', { name: 'Edit ride log' });
    await field.fill('Week 45: 87 km over five rides. '.repeat(20));
    await detail().getByText('640 of 2,000 characters').waitFor();
    await entry('ride log').getByText('640 / 2,000').waitFor();
    await page.waitForFunction(
      (before) => Number(document.querySelector('[role=meter]').getAttribute('aria-valuenow')) > before + 100,
      gauge,
    );
    assert.equal((await find('ride log')).value, 'Week 45: 87 km.');
    await field.fill('x'.repeat(2005));
    await detail().getByText('5 too many').waitFor();
    assert.equal(await detail().getByRole('button', { name: 'Save' }).isDisabled(), true);
    await field.press('Escape');
    await page.waitForFunction(
      (before) => Number(document.querySelector('[role=meter]').getAttribute('aria-valuenow')) === before,
      gauge,
    );
    await entry('ride log').getByText('15 / 2,000').waitFor();
  });

  test('it is edited in place; the keyboard saves and comes back to it', async () => {
    await detail().getByText('Week 45: 87 km.').first().click();
    await page.getByRole('textbox', { name: 'Edit ride log' }).fill('Week 45: 91 km.');
    await page.keyboard.press('Control+Enter');
    await history().first().locator('ins', { hasText: '91' }).waitFor();
    assert.equal((await find('ride log')).value, 'Week 45: 91 km.');
    await page.waitForFunction(() => document.activeElement.textContent.includes('91 km'));
  });

  test('Enter that ends a composition saves nothing', async () => {
    const saved = [];
    page.on('request', (r) => r.method() === 'PATCH' && saved.push(r.url()));
    await detail().getByRole('button', { name: 'Edit', exact: true }).click();
    const field = page.getByRole('textbox', { name: 'Edit ride log' });
    for (const control of [false, true]) {
      await field.fill('');
      await compose(page, 'nian', '年糕', { control });
      assert.equal(await field.inputValue(), '年糕');
    }
    assert.deepEqual(saved, []);
    await field.press('Control+Enter');
    await history().first().locator('ins', { hasText: '年糕' }).waitFor();
    assert.equal(saved.length, 1);
    await history().first().getByRole('button', { name: 'Undo' }).click();
    await detail()
      .getByRole('button', { name: /Week 45: 91 km/ })
      .waitFor();
  });

  test('name, purpose, limit, pin and read-only are kept as soon as they are left', async () => {
    await detail().getByRole('textbox', { name: 'What it is for' }).fill('Rides, by week');
    await detail().getByRole('spinbutton', { name: 'Limit in characters' }).fill('300');
    await detail()
      .getByRole('checkbox', { name: /Pinned/ })
      .check();
    await detail()
      .getByRole('checkbox', { name: /Read-only/ })
      .check();
    await history().filter({ hasText: 'Read-only: no yes' }).waitFor();
    await entry('ride log').getByText('15 / 300').waitFor();
    await entry('ride log').getByRole('img', { name: 'Read-only' }).waitFor();
    const { description, limit, pinned, read_only } = await find('ride log');
    assert.deepEqual(
      { description, limit, pinned, read_only },
      {
        description: 'Rides, by week',
        limit: 300,
        pinned: true,
        read_only: true,
      },
    );
    // What cannot be says why, and the field shows what is.
    await detail().getByRole('spinbutton', { name: 'Limit in characters' }).fill('5');
    await detail().getByRole('textbox', { name: 'Name' }).focus();
    await detail().getByRole('alert').waitFor();
    assert.equal(await detail().getByRole('spinbutton', { name: 'Limit in characters' }).inputValue(), '300');
  });

  test('it moves by button and by key, and stays where it was put', async () => {
    const labels = async () => (await core()).map((b) => b.label).join(' ');
    assert.equal(await labels(), 'persona human ride log');
    await entry('ride log').hover();
    await page.getByRole('button', { name: 'Move ride log up' }).click();
    await page.waitForFunction(() =>
      /number 2 of 3/.test(document.querySelector('[data-testid=announcer]').textContent),
    );
    await page.waitForFunction(() => document.activeElement.querySelector('b')?.textContent === 'ride log');
    await page.keyboard.press('Alt+ArrowUp');
    await page.waitForFunction(() =>
      /number 1 of 3/.test(document.querySelector('[data-testid=announcer]').textContent),
    );
    await page.reload();
    await entry('ride log').waitFor();
    assert.equal(await page.locator('.part > .list ul').first().locator('b').first().innerText(), 'ride log');
    assert.equal(await labels(), 'ride log persona human');
  });

  test('it is attached to another agent and detached again, each with Undo', async () => {
    await open('ride log');
    await detail().getByRole('checkbox', { name: 'Tutor' }).check();
    await page.getByText('ride log was attached to Tutor.').waitFor();
    assert.ok((await core(tutor)).some((b) => b.label === 'ride log'));
    await detail().getByRole('checkbox', { name: agent.name }).uncheck();
    await page.locator('.list li', { hasText: 'read by Tutor' }).getByText('ride log').waitFor();
    await page.getByText(`ride log was detached from ${agent.name}.`).waitFor();
    await page.locator('.toast', { hasText: 'detached' }).getByRole('button', { name: 'Undo' }).click();
    await entry('ride log').and(page.locator('[aria-describedby=order-hint]')).waitFor();
    assert.equal((await core())[0].label, 'ride log'); // in its old place
  });

  test('it takes the place of the own block of an agent, with one Undo; where that is refused its tick is taken back', async () => {
    const names = async () => (await core(tutor)).map((b) => [b.label, b.id]);
    const before = await names();
    await open('human');
    const tick = detail().getByRole('checkbox', {
      name: 'Tutor takes the place of its own “human”, which stays stored',
    });
    const refused = /replace=true/;
    await page.route(refused, (route) => route.continue({ url: route.request().url().replace('?replace=true', '') }));
    await tick.click();
    await page.locator('.toast', { hasText: 'the agent has a block "human" already' }).waitFor();
    await page.waitForFunction((field) => !field.checked, await tick.elementHandle());
    await page.unroute(refused);

    await tick.check();
    const { id } = await find('human');
    await page.locator('.list li', { hasText: 'read by no agent' }).getByText('human').waitFor();
    assert.deepEqual(
      await names(),
      before.map(([label, own]) => [label, label === 'human' ? id : own]),
    );
    assert.deepEqual(await violations(page), []);
    await undo(page, 'human was attached to Tutor, in the place of its own');
    await tick.and(page.locator(':not(:checked)')).waitFor();
    assert.deepEqual(await names(), before);
  });

  test('its history tells who, when, why and from which message; a version is undone and restored', async () => {
    const c = await world.api('POST', '/conversations', { agent_id: agent.id });
    const { message } = await world.api('POST', `/conversations/${c.id}/messages`, {
      content: 'Remember that my bicycle is called Comet.',
    });
    await open('human');
    const told = history().filter({ hasText: 'remembered, as asked' });
    await told.locator('ins', { hasText: 'bicycle is called Comet' }).waitFor();
    await told.locator('time').waitFor();
    const link = told.getByRole('link', { name: 'Go to the message' });
    assert.equal(await link.getAttribute('href'), `#/c/${c.id}?m=${message.id}`);

    const human = await find('human');
    await world.api('PATCH', `/blocks/${human.id}`, { value: 'Rides a lot.', limit: 500 });
    const newest = history().first();
    await newest.locator('del', { hasText: 'Comet' }).waitFor();
    await newest.getByText('2,000').waitFor();
    await newest.getByRole('button', { name: 'Undo' }).click();
    await history().first().getByText('undo', { exact: true }).waitFor();
    assert.match((await find('human')).value, /Comet/);
    assert.equal((await find('human')).limit, 2000);
    await history().nth(1).getByRole('button', { name: 'Restore this version' }).click();
    await page.locator('article').getByText('12 / 500').waitFor();
    assert.equal((await find('human')).value, 'Rides a lot.');
    await link.click();
    await page.waitForURL(/#\/c\//);
    await page.goBack();
    await detail().getByRole('heading', { name: 'human' }).waitFor();
  });

  test('a change by the model while the user edits becomes a choice, also where they were elsewhere meanwhile', async () => {
    await open('human');
    await detail().getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByRole('textbox', { name: 'Edit human' }).fill('Rides a lot.\nLikes tea.');
    await open('persona');
    await open('human');
    await detail().getByRole('button', { name: 'Edit', exact: true }).click();
    await world.api('PATCH', `/blocks/${(await find('human')).id}`, { value: 'Lives in Hamburg.\nRides a lot.' });
    await page.getByText('human was changed while you were editing.').waitFor();
    assert.equal(await page.getByRole('textbox', { name: 'Edit human' }).inputValue(), 'Rides a lot.\nLikes tea.');
    await page.getByRole('button', { name: 'Combine both' }).click();
    await page.getByRole('textbox', { name: 'Edit human' }).waitFor({ state: 'detached' });
    assert.equal((await find('human')).value, 'Lives in Hamburg.\nRides a lot.\nLikes tea.');
  });

  test('what is deleted comes back by Undo, and later from the list of deleted blocks', async () => {
    await open('ride log');
    await page.getByRole('button', { name: 'Delete: ride log' }).click();
    await page.locator('.toast', { hasText: 'ride log was deleted.' }).getByRole('button', { name: 'Undo' }).click();
    await entry('ride log').waitFor();
    await open('ride log');
    await page.getByRole('button', { name: 'Delete: ride log' }).click();
    await page
      .locator('.toast', { hasText: 'ride log was deleted.' })
      .last()
      .getByRole('button', { name: 'Dismiss' })
      .click();
    await page.locator('summary', { hasText: 'Deleted blocks' }).click();
    assert.deepEqual(await violations(page), []);
    await page.getByRole('button', { name: 'Restore ride log' }).click();
    await detail().getByText('Week 45: 91 km.').first().waitFor();
    assert.equal((await core())[0].label, 'ride log');
  });

  test('at 360 px list and block are two steps, and Back leads to the list', async () => {
    for (const [theme, language] of [
      ['dark', 'zh-CN'],
      ['light', 'en-US'],
    ]) {
      const small = await world.page({ width: 360, height: 740, theme, language, path: '/#/memory' });
      await small.locator('.list a', { hasText: 'human' }).first().click();
      await small.getByRole('heading', { name: 'human' }).waitFor();
      assert.equal(await small.locator('.part > .list').isVisible(), false);
      assert.deepEqual(await violations(small), []);
      assert.equal(await small.evaluate(() => document.scrollingElement.scrollWidth), 360);
      await shot(small, `memory-block-360-${theme}`);
      await small.goBack();
      await small.locator('.list a', { hasText: 'human' }).first().waitFor();
      assert.deepEqual(await violations(small), []);
      assert.deepEqual(small.faults, []);
      await small.context().close();
    }
  });

  test('nothing went wrong in the page meanwhile', () => assert.deepEqual(page.faults, []));
});

describe('archive', () => {
  let world;
  let page;
  let agent;
  let message;
  let conversation;
  before(async () => {
    world = await World.open();
    agent = await world.ready();
    conversation = await world.api('POST', '/conversations', { agent_id: agent.id });
    ({ message } = await world.api('POST', `/conversations/${conversation.id}/messages`, { content: 'Hello' }));
    const add = (text, tags, over = {}) => world.api('POST', '/passages', { agent_id: agent.id, text, tags, ...over });
    await add('Comet is a steel tourer from a workshop in Bremen.', ['bike', 'things'], { origin: message.id });
    await add('年糕六岁，肠胃敏感，换粮要先换三分之一。', ['cat'], { created_at: '2024-02-29T12:00:00Z' });
    await add('The winter tyres are in the cellar.', ['bike', 'winter'], { created_at: '2025-12-01T12:00:00Z' });
    page = await world.page({ path: '/#/memory/archive' });
    await row('Comet').waitFor();
  });
  after(() => world.close());

  const row = (text) => page.locator('.passage', { hasText: text });
  const rows = () => page.locator('.passage').count();
  /** Ctrl+A is for who has the focus, which what was done before may still be giving back. */
  const chooseAll = (said) =>
    until(async () => {
      await page.locator('[data-focus]').first().focus();
      await page.keyboard.press('Control+A');
      return page.getByText(said).first().isVisible();
    }, Boolean);
  const count = (text) => page.getByRole('status').filter({ hasText: text }).waitFor();
  const search = () => page.getByRole('searchbox', { name: 'Search the archive' });
  const all = async () => (await world.api('GET', `/passages?agent_id=${agent.id}&limit=500`)).passages;

  test('half a word finds, in either script, and the search stands in the address', async () => {
    await search().pressSequentially('tyr');
    await row('winter tyres').waitFor();
    await count('The best 1');
    assert.equal(await rows(), 1);
    assert.match(hash(page), /q=tyr/);
    await search().fill('肠胃');
    await row('年糕').waitFor();
    await page.reload();
    await row('年糕').waitFor();
    assert.equal(await search().inputValue(), '肠胃');
    await search().fill('submarine');
    await page.getByText('No passage has these words.').waitFor();
    await search().fill('');
    await count('3 passages');
  });

  test('Enter that ends a composition searches and opens nothing', async () => {
    await search().focus();
    await compose(page, 'changwei', '肠胃');
    await row('年糕').waitFor();
    await count('The best 1');
    assert.equal(decodeURI(hash(page)), '#/memory/archive?q=肠胃');
    await search().fill('');
    await count('3 passages');
  });

  test('hits by meaning join those by words', async () => {
    // The fake embedder finds the same text nearest; its words are left out of the first answer.
    await page.route(/by=words/, (route) => route.fulfill({ json: { passages: [], next: '' } }));
    await search().fill('The winter tyres are in the cellar.');
    await row('winter tyres').getByText('found by meaning').waitFor();
    await page.unroute(/by=words/);
    await search().fill('');
    await count('3 passages');
  });

  test('an archive has an embedder of its own, which is chosen, told of and taken back', async () => {
    const { models } = await world.api('GET', '/models');
    const { name } = models.find((m) => m.embedding);
    await world.api('PATCH', '/settings', { embedder: null });
    await page.getByRole('button', { name: 'Settings of the archive' }).click();
    const embedder = page.getByRole('combobox', { name: 'Embedder of this archive' });
    await embedder.locator('option', { hasText: 'As in the settings: none' }).waitFor({ state: 'attached' });
    await page.getByText('No embedder is chosen: the passages are found by their words.').waitFor();
    assert.match(
      await embedder.locator(`option[value="${name}"]`).textContent(),
      /74 MB\s· English, Chinese\s· finds \d+ %/,
    );
    await embedder.selectOption(name);
    await page.getByText('All passages are found by their meaning.').waitFor();
    assert.equal((await world.api('GET', `/archives/${agent.archive_id}`)).embedder, name);
    assert.deepEqual(await violations(page), []);
    await shot(page, 'memory-archive-embedder');
    // It is found by meaning although the app has no embedder.
    await page.route(/by=words/, (route) => route.fulfill({ json: { passages: [], next: '' } }));
    await search().fill('The winter tyres are in the cellar.');
    await row('winter tyres').getByText('found by meaning').waitFor();
    await page.unroute(/by=words/);
    await search().fill('');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('No embedder is chosen: the passages are found by their words.').waitFor();
    await world.api('PATCH', '/settings', { embedder: name });
    await embedder
      .locator('option', { hasText: 'As in the settings: multilingual-e5-small' })
      .waitFor({ state: 'attached' });
    await page.getByText('All passages are found by their meaning.').waitFor();
    await page.getByRole('button', { name: 'Settings of the archive' }).click();
    await embedder.waitFor({ state: 'detached' });
  });

  test('filters by tag, day and origin are steps that Back takes back', async () => {
    await row('Comet').getByRole('button', { name: 'Only passages tagged bike' }).click();
    await count('2 passages');
    const tags = page.getByRole('combobox', { name: 'Tags' });
    // A tag is offered as soon as a passage has it.
    const { passages } = await world.api('GET', `/passages?agent_id=${agent.id}&query=tourer`);
    await world.api('PATCH', `/passages/${passages[0].id}`, { tags: ['bike', 'things', 'steel'] });
    await page.locator('datalist option[value=steel]').waitFor({ state: 'attached' });
    await tags.fill('winter');
    await page.getByRole('button', { name: 'Remove the tag winter' }).waitFor();
    await count('2 passages');
    await page.getByRole('combobox', { name: 'Passages with' }).selectOption('all');
    await count('1 passage');
    assert.match(hash(page), /tags=bike,winter&mode=all|mode=all.*tags=bike,winter/);
    assert.deepEqual(await violations(page), []);
    await shot(page, 'memory-archive-filter');
    await page.goBack();
    await count('2 passages');
    await page.getByRole('button', { name: 'Clear the filter' }).click();
    await page.getByLabel('From', { exact: true }).fill('2025-01-01');
    await page.getByLabel('Until', { exact: true }).fill('2025-12-01');
    await count('1 passage');
    await row('winter tyres').waitFor();
    await page.getByRole('button', { name: 'Clear the filter' }).click();
    await page.getByRole('combobox', { name: 'Origin' }).selectOption('message');
    await count('1 passage');
    await row('Comet').waitFor();
    await page.getByRole('button', { name: 'Clear the filter' }).click();
    await count('3 passages');
  });

  test('a passage leads to the message it came from', async () => {
    const link = row('Comet').getByRole('link', { name: 'from a message' });
    assert.equal(await link.getAttribute('href'), `#/c/${conversation.id}?m=${message.id}`);
    await row('winter tyres').getByText('added by hand').waitFor();
  });

  test('a passage is added, edited with its tags, deleted, and brought back', async () => {
    await page.getByRole('button', { name: 'Add a passage' }).click();
    await page.getByRole('textbox', { name: 'Text of the passage' }).fill('The landlord reads the meters.');
    await page.getByRole('textbox', { name: 'Tags' }).fill('move, home');
    await page.keyboard.press('Control+Enter');
    await row('landlord').getByRole('button', { name: 'Only passages tagged home' }).waitFor();
    await row('landlord').getByRole('button', { name: 'Edit this passage' }).click();
    // The form of the new one may still wait for its answer.
    const field = page.locator('.passage form').getByRole('textbox', { name: 'Text of the passage' });
    await field.fill('The landlord reads the meters on 19 November.');
    await page.locator('.passage form').getByRole('textbox', { name: 'Tags' }).fill('move');
    await page.getByRole('button', { name: 'Save' }).click();
    await row('19 November').waitFor();
    assert.equal(await row('19 November').getByRole('button', { name: 'Only passages tagged home' }).count(), 0);
    const stored = (await all()).find((p) => p.text.includes('landlord'));
    assert.deepEqual([stored.text, stored.tags], ['The landlord reads the meters on 19 November.', ['move']]);
    await page.waitForFunction(() => document.activeElement.getAttribute('aria-label') === 'Edit this passage');

    await row('19 November').getByRole('button', { name: 'Delete this passage' }).click();
    await row('19 November').waitFor({ state: 'detached' });
    await page.locator('.toast', { hasText: 'deleted' }).getByRole('button', { name: 'Undo' }).click();
    await row('19 November').waitFor();
  });

  test('what the model changed meanwhile is shown, not overwritten', async () => {
    await row('19 November').getByRole('button', { name: 'Edit this passage' }).click();
    await page.getByRole('textbox', { name: 'Text of the passage' }).fill('My words.');
    const { id } = (await all()).find((p) => p.text.includes('19 November'));
    await world.api('PATCH', `/passages/${id}`, { text: 'Their words.' });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('This passage was changed while you were editing.').waitFor();
    await page.getByRole('alert').getByText('Their words.').waitFor();
    assert.equal((await world.api('GET', `/passages/${id}`)).text, 'Their words.');
    await page.getByRole('button', { name: 'Save mine' }).click();
    await row('My words.').waitFor();
    assert.equal((await world.api('GET', `/passages/${id}`)).text, 'My words.');
  });

  test('many are chosen with the keyboard, tagged, exported and deleted, each with one undo', async () => {
    const boxes = page.getByRole('checkbox', { name: /^Select:/ });
    await search().focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Shift+Space');
    await page.getByText('3 selected').first().waitFor();
    await page.getByRole('button', { name: 'Select all 4' }).click();
    await page.getByText('4 selected').first().waitFor();
    await boxes.nth(1).click();
    await page.getByText('3 selected').first().waitFor();
    assert.deepEqual(await violations(page), []);
    const bar = await page.getByRole('toolbar').boundingBox();
    assert.ok(bar.height >= 28, `the bar of the chosen is ${bar.height} px high`);
    await shot(page, 'memory-archive-chosen');

    await page.getByRole('button', { name: 'Add tags' }).click();
    await page.getByRole('combobox', { name: 'Add tags' }).fill('kept, 2026');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('The tags of 3 passages were changed.').waitFor();
    assert.equal((await all()).filter((p) => p.tags.includes('2026')).length, 3);
    const tagged = page.getByRole('button', { name: 'Only passages tagged 2026' });
    await tagged.nth(2).waitFor();
    await page.locator('.toast', { hasText: 'tags' }).getByRole('button', { name: 'Undo' }).click();
    await tagged.first().waitFor({ state: 'detached' });
    assert.equal((await all()).filter((p) => p.tags.includes('2026')).length, 0);

    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('menuitem', { name: 'Export as JSON' }).click();
    const saved = JSON.parse(await readFile(await (await download).path(), 'utf8'));
    assert.equal(saved.length, 3);
    assert.ok(saved.every((p) => p.text && Array.isArray(p.tags)));

    await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('3 passages were deleted.').waitFor();
    await count('1 passage');
    await page.locator('.toast', { hasText: '3 passages were deleted.' }).getByRole('button', { name: 'Undo' }).click();
    await count('4 passages');
  });

  test('a link leads to one passage', async () => {
    const { id } = (await all()).find((p) => p.text.includes('Comet'));
    await page.goto(new URL(`/#/memory/archive?passage=${id}`, world.link).href);
    await row('Comet').waitFor();
    await page.getByText('One passage').waitFor();
    assert.equal(await rows(), 1);
    await page.getByRole('button', { name: 'Show all' }).click();
    await count('4 passages');
  });

  test('of thousands only those in sight are on the page, from the first to the last', async () => {
    const text = Array.from({ length: 2000 }, (_, i) => `Ride ${i}. ${'Along the Elbe. '.repeat(70)}`).join('\n\n');
    await world.api('POST', '/passages', { agent_id: agent.id, text, tags: ['ride'] });
    await count('2,004 passages');
    assert.ok((await rows()) < 60, `${await rows()} rows are on the page`);
    await page
      .getByRole('checkbox', { name: /^Select:/ })
      .first()
      .focus();
    await page.keyboard.press('End');
    await row('年糕').waitFor(); // the oldest
    assert.match(await page.evaluate(() => document.activeElement.getAttribute('aria-label')), /年糕/);
    assert.ok((await rows()) < 60);
    const last = await page.locator('li[data-key][aria-posinset="2004"]').getAttribute('aria-setsize');
    assert.equal(last, '2004');
    // The focus stays with its row, also when that is scrolled out of sight.
    await page.locator('.listing .scroller').evaluate((s) => (s.scrollTop = 0));
    await page.locator('li[data-key][aria-posinset="1"]').waitFor();
    await page.keyboard.press('ArrowUp');
    await page.locator('li[data-key][aria-posinset="2003"] [data-focus]:focus').waitFor();
    await page.keyboard.press('Control+A');
    await page.getByText('2,004 selected').first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('2,004 selected').first().waitFor({ state: 'detached' });
  });

  test('what is being written stays with its row when that is scrolled away, and after a reload', async () => {
    const scroll = (end) =>
      page.locator('.listing .scroller').evaluate((s, to) => (s.scrollTop = to ? s.scrollHeight : 0), end);
    const field = page.locator('.passage form').getByRole('textbox', { name: 'Text of the passage' });
    await scroll(false);
    const newest = page.locator('li[data-key][aria-posinset="1"]');
    await newest.getByRole('button', { name: 'Edit this passage' }).click();
    await field.fill('Half a sentence');
    await scroll(true);
    await row('年糕').getByRole('checkbox').focus(); // a row stays as long as it has the focus
    await field.waitFor({ state: 'detached' });
    await scroll(false);
    await field.waitFor();
    assert.equal(await field.inputValue(), 'Half a sentence');
    await row('年糕').locator('[data-focus]:focus').waitFor(); // it takes the focus from nobody
    await page.reload();
    await field.waitFor();
    assert.equal(await field.inputValue(), 'Half a sentence');
    await field.press('Escape');
    await row('Ride 1999.').waitFor();
    assert.equal(await page.evaluate(() => Object.keys(localStorage).filter((k) => /passage/.test(k)).length), 0);
  });

  test('a change that breaks off offers the way back of what was done', async () => {
    await chooseAll('2,004 selected');
    let parts = 0;
    await page.route('**/api/passages/change', (route) => (++parts === 2 ? route.abort() : route.continue()));
    await page.getByRole('toolbar').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.locator('.toast', { hasText: 'The change broke off. 2,000 passages were deleted.' }).waitFor();
    await page.unroute('**/api/passages/change');
    await count('4 passages');
    await undo(page, 'The change broke off.');
    await count('2,004 passages');
  });

  test('a change of thousands says how far it is, and one undo takes all of it back', async () => {
    await page.locator('.listing .scroller').evaluate((s) => (s.scrollTop = 0));
    await chooseAll('2,004 selected');
    const parts = [];
    let goOn;
    const seen = new Promise((go) => (goOn = go));
    await page.route('**/api/passages/change', async (route) => {
      parts.push(route.request().postDataJSON().ids.length);
      if (parts.length === 2) await seen; // the second part waits until the page has told of the first
      await route.continue();
    });
    await page.getByRole('toolbar').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('2,000 of 2,004 changed').waitFor();
    assert.equal(await page.getByRole('progressbar', { name: /^One moment/ }).getAttribute('aria-valuenow'), '2000');
    goOn();
    await page.locator('.toast', { hasText: '2,004 passages were deleted.' }).waitFor();
    assert.deepEqual(parts, [2000, 4]);
    await page.unroute('**/api/passages/change');
    await count('0 passages');
    await undo(page, '2,004 passages were deleted.');
    await count('2,004 passages');
  });

  test('it works at 360 px in the dark, in Chinese, and says what is not there', async () => {
    const small = await world.page({
      width: 360,
      height: 740,
      theme: 'dark',
      language: 'zh-CN',
      path: '/#/memory/archive?q=tourer',
    });
    await small.locator('.passage', { hasText: 'Comet' }).waitFor();
    assert.deepEqual(await violations(small), []);
    assert.equal(await small.evaluate(() => document.scrollingElement.scrollWidth), 360);
    await shot(small, 'memory-archive-360-dark');
    assert.deepEqual(small.faults, []);
    await small.context().close();

    await world.api('POST', '/agents', { name: 'Empty' });
    const fresh = await world.page({ path: '/#/memory/archive' });
    await fresh.getByRole('button', { name: /^Agent: / }).click();
    await fresh.getByRole('menuitemradio', { name: 'Empty' }).click();
    await fresh.getByRole('heading', { name: 'Nothing is archived yet' }).waitFor();
    assert.deepEqual(await violations(fresh), []);
    assert.deepEqual(fresh.faults, []);
    await fresh.context().close();
  });

  test('nothing went wrong in the page meanwhile', () => assert.deepEqual(page.faults, []));
});
