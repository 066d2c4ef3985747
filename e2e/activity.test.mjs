// The activity in the browser: what happened, opened, undone, filtered, linked, live.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { join } from 'node:path';
import { World, out, until, violations } from './world.mjs';

const shot = (page, name) => page.screenshot({ path: join(out, `${name}.png`) });
const hash = (page) => decodeURIComponent(new URL(page.url()).hash.replaceAll('+', ' '));

describe('activity', () => {
  let world;
  let page;
  let agent;
  let conversation;
  before(async () => {
    world = await World.open({ engine: ['--chunk-delay', '1ms'] });
    agent = await world.ready();
    await world.api('PATCH', '/settings', { window: 4096 });
    conversation = await world.api('POST', '/conversations', { agent_id: agent.id, title: 'Bicycles' });
    page = await world.page({ path: '/#/activity' });
    await page.getByRole('heading', { name: /^Today, / }).waitFor();
  });
  after(() => world.close());

  /** Says something and waits for the end of the answer. */
  const tell = async (content, to = conversation) => {
    await world.api('POST', `/conversations/${to.id}/messages`, { content });
    const said = () => world.api('GET', `/conversations/${to.id}/messages`);
    const ended = ({ role, status }) => role === 'assistant' && status !== 'streaming';
    return (await until(said, ({ messages }) => ended(messages.at(-1)))).messages;
  };
  const event = (text) => page.locator('.event', { hasText: text });
  const line = (text) => event(text).first().locator('button.line');
  const search = () => page.getByRole('searchbox', { name: 'Search the activity' });
  const filter = () => page.getByRole('button', { name: 'Filter', exact: true });
  const events = () => page.locator('.event').count();

  test('a change of memory joins the list by itself; opened it says what, who, why and from where, and is undone', async () => {
    const [message] = await tell('Remember that my bicycle is called Comet.');
    await line('human').filter({ hasText: 'changed' }).click();
    const opened = event('human').filter({ has: page.getByRole('group', { name: 'Memory changed' }) });
    await opened.locator('ins', { hasText: 'bicycle is called Comet' }).waitFor();
    await opened.getByText('remembered, as asked').waitFor();
    assert.equal(
      await opened.getByRole('link', { name: 'Go to the message' }).getAttribute('href'),
      `#/c/${conversation.id}?m=${message.id}`,
    );
    await opened.getByRole('button', { name: 'Undo' }).click();
    await opened.getByText('Undone.').waitFor();
    await line('a change was taken back').waitFor();
    await opened.getByRole('button', { name: 'Redo' }).click();
    await opened.getByRole('button', { name: 'Undo' }).waitFor();
    const human = (await world.api('GET', `/agents/${agent.id}/core`)).blocks.find((b) => b.label === 'human');
    assert.match(human.value, /Comet/);
    assert.deepEqual(await violations(page), []);
    await shot(page, 'activity');
    await opened.getByRole('link', { name: 'Open the block' }).click();
    await page.getByRole('heading', { name: 'human' }).waitFor();
    await page.goBack();
    await line('human').first().waitFor();
  });

  test('what was deleted long ago comes back from here: block, passage, document, fact, agent', async () => {
    const made = await world.api('POST', `/agents/${agent.id}/blocks`, { label: 'trips', value: 'Porto in May.' });
    const { passages } = await world.api('POST', '/passages', { agent_id: agent.id, text: 'The tyre is flat.' });
    const form = new FormData();
    form.set('agent_id', agent.id);
    form.set('file', new Blob(['# Boiler\n\nValve 3.']), 'boiler.md');
    await world.send('POST', '/documents', form);
    const documents = async () => (await world.api('GET', `/documents?agent_id=${agent.id}`)).documents;
    const [document] = await until(documents, (all) => all.length > 0);
    const { fact } = await world.api('POST', `/agents/${agent.id}/facts`, { key: 'home', value: 'Lyon' });
    const other = await world.api('POST', '/agents', { name: 'Gardener' });
    const things = [
      ['trips', `/blocks/${made.block.id}`],
      ['The tyre is flat.', `/passages/${passages[0].id}`],
      ['Boiler', `/documents/${document.id}`],
      ['home = Lyon', `/facts/${fact.id}`],
    ];
    for (const [, path] of [...things, ['', `/agents/${other.id}`]]) await world.api('DELETE', path);
    await page.reload(); // no notice is left of it
    for (const [name] of things) {
      const row = page.locator('.event', { hasText: name }).filter({ hasText: 'deleted' }).first();
      await row.locator('button.line').click();
      const undone = page.waitForResponse((r) => r.url().endsWith('/undo'));
      await row.getByRole('button', { name: 'Undo' }).click();
      assert.ok((await undone).ok());
      await row.locator('button.line').click();
    }
    const gone = page.locator('.event', { hasText: 'agent deleted' }).filter({ hasText: 'Gardener' });
    await gone.locator('button.line').click();
    await gone.getByRole('button', { name: 'Bring back' }).click();
    await line('agent brought back').waitFor();
    await gone.getByRole('link', { name: 'Open the agent' }).waitFor();
    const { blocks } = await world.api('GET', `/agents/${agent.id}/core`);
    assert.equal(blocks.find((b) => b.label === 'trips')?.value, 'Porto in May.');
    const back = await world.api('GET', `/passages?agent_id=${agent.id}`);
    assert.ok(back.passages.some((p) => p.text === 'The tyre is flat.'));
    assert.equal((await documents())[0]?.id, document.id);
    assert.equal((await world.api('GET', `/facts/${fact.id}`)).fact.value, 'Lyon');
    assert.ok((await world.api('GET', '/agents')).agents.some((a) => a.name === 'Gardener'));
    await world.api('DELETE', `/agents/${other.id}`);
  });

  test('a recall opens to its receipt', async () => {
    await tell('The violin teacher is called Aurelia Winterbottom.');
    const other = await world.api('POST', '/conversations', { agent_id: agent.id, title: 'Music' });
    await tell('What was the name of the violin teacher Aurelia?', other);
    const recall = event('Recall')
      .filter({ hasText: /took [1-9]/ })
      .first();
    await recall.locator('button.line').click();
    await recall.locator('td', { hasText: 'Winterbottom' }).first().waitFor();
    await recall.getByRole('link', { name: 'Go to the message' }).waitFor();
    assert.deepEqual(await violations(page), []);
  });

  test('what left the window says how many and how much, and leads there', async () => {
    for (let n = 0; n < 3; n++) await tell(`${'Many words to fill the window. '.repeat(110)} [[say Yes.]]`);
    await line('left the window').click();
    const evicted = page.locator('.event.open', { hasText: 'left the window' });
    await evicted.getByText(/[\d,]+ tokens freed/).waitFor();
    assert.match(
      await evicted.getByRole('link', { name: 'Open the conversation' }).getAttribute('href'),
      new RegExp(`^#/c/${conversation.id}\\?m=message-`),
    );
    await line('the beginning of the prompt was written anew').click();
    await page.locator('.event.open').getByText('the messages outgrew their share').waitFor();
  });

  test('an error says what to do about it', async () => {
    await tell(
      'Words [[status 500 the runner has gone]]',
      await world.api('POST', '/conversations', { agent_id: agent.id }),
    );
    await line('The answer failed').click();
    const failed = event('The answer failed').first();
    await failed
      .locator('.note.bad')
      .getByText(/the runner has gone/i)
      .waitFor();
    await failed.locator('.note.bad button').waitFor();
    await failed.getByRole('link', { name: 'Go to the message' }).waitFor();
  });

  test('work in the background is listed once it has ended', async () => {
    const { path } = await world.api('POST', '/backup', {});
    await line('written and verified').click();
    await event('written and verified').first().getByText(path).waitFor();
    await world.api('POST', '/models/pull', { name: 'qwen3:0.6b' });
    await event('qwen3:0.6b').filter({ hasText: 'pulled' }).waitFor();
  });

  test('one change of many passages is one row with one undo', async () => {
    const passages = await world.api('POST', '/passages', {
      agent_id: agent.id,
      text: Array.from({ length: 3 }, (_, i) => `Passage ${i}. ${'About herons. '.repeat(90)}`).join('\n\n'),
    });
    await world.api('POST', '/passages/change', {
      agent_id: agent.id,
      ids: passages.passages.map((p) => p.id),
      delete: true,
    });
    await line('3 passages').click();
    const many = event('3 passages').filter({ hasText: 'and 2 others' });
    await many.getByRole('button', { name: 'Undo' }).click();
    const open = page.locator('.event.open', { hasText: '3 passages' });
    await open.getByText('Undone.').waitFor();
    const { ids } = await world.api('GET', `/passages/ids?agent_id=${agent.id}`);
    assert.ok(passages.passages.every((p) => ids.includes(p.id)));
    await open.getByRole('link', { name: 'Open the archive' }).waitFor();
  });

  test('filters stand in the address, come back with Back, and survive a reload', async () => {
    await filter().click();
    await page.getByRole('button', { name: 'Errors', exact: true }).click();
    await event('The answer failed').first().waitFor();
    await page.waitForFunction(
      () => ![...document.querySelectorAll('.event')].some((e) => /human/.test(e.textContent)),
    );
    assert.match(hash(page), /type=errors/);
    await page.getByRole('button', { name: 'Evictions' }).click();
    await line('left the window').first().waitFor();
    await page.goBack();
    await line('left the window').waitFor({ state: 'detached' });
    await page.reload();
    await event('The answer failed').first().waitFor();
    assert.equal(await page.getByRole('button', { name: 'Errors', exact: true }).getAttribute('aria-pressed'), 'true');
    assert.deepEqual(await violations(page), []);
    await shot(page, 'activity-filter');
    await page.getByRole('button', { name: 'Clear the filter' }).click();

    await page.getByRole('combobox', { name: 'Who' }).selectOption('user');
    await page.waitForFunction(
      () => ![...document.querySelectorAll('.event')].some((e) => /Recall/.test(e.textContent)),
    );
    await line('human').waitFor();
    await page.getByRole('button', { name: 'Clear the filter' }).click();
    await event('Recall').first().waitFor();

    await page.getByLabel('Until', { exact: true }).fill('2020-01-01');
    await page.getByText('Nothing fits this filter.').waitFor();
    await page.getByRole('button', { name: 'Clear the filter' }).click();
  });

  test('by a word of what changed, by agent, and by conversation', async () => {
    await search().fill('comet');
    await line('human').first().waitFor();
    await page.waitForFunction(
      () => ![...document.querySelectorAll('.event')].some((e) => /Recall/.test(e.textContent)),
    );
    assert.match(hash(page), /q=comet/);
    await search().fill('zebra crossing');
    await page.getByText('Nothing fits this filter.').waitFor();
    await search().fill('');

    const tutor = await world.api('POST', '/agents', { name: 'Tutor' });
    await page.getByRole('combobox', { name: 'Agent' }).selectOption(tutor.id);
    await line('persona').waitFor();
    await page.waitForFunction(
      () => ![...document.querySelectorAll('.event')].some((e) => /Recall/.test(e.textContent)),
    );
    await page.getByRole('button', { name: 'Clear the filter' }).click();

    await line('left the window').click();
    await event('left the window').first().getByRole('button', { name: 'Only this conversation' }).click();
    await page.getByRole('button', { name: /^Conversation: Bicycles/ }).waitFor();
    await event('qwen3').first().waitFor({ state: 'detached' });
    assert.match(hash(page), new RegExp(`conversation=${conversation.id}`));
    await page.getByRole('button', { name: /^Conversation: Bicycles/ }).click();
    await event('qwen3').first().waitFor();
    await filter().click();
  });

  test('of hundreds only those in sight are on the page, and the rest is fetched on the way', async () => {
    const text = Array.from({ length: 400 }, (_, i) => `Ride ${i}. ${'Along the Elbe. '.repeat(70)}`).join('\n\n');
    await world.api('POST', '/passages', { agent_id: agent.id, text });
    await page.getByText('Ride 399.').waitFor();
    assert.ok((await events()) < 80, `${await events()} rows are on the page`);
    await page.waitForFunction(
      () =>
        document.querySelectorAll('.day').length === 1 && /Ride 399/.test(document.querySelector('.event').textContent),
    );
    // To the end of what there is: each End fetches a page more.
    const focused = () => page.evaluate(() => document.activeElement.closest('li')?.textContent ?? '');
    const size = () =>
      page.evaluate(() => Number(document.querySelector('li[data-key] .event').closest('li').ariaSetSize));
    while (!/new agent/.test(await focused())) {
      if (!(await page.evaluate(() => document.activeElement.matches('button.line')))) {
        await page.locator('button.line').first().focus();
      }
      const before = await size();
      await page.keyboard.press('End');
      await page.waitForFunction(
        (n) =>
          /new agent/.test(document.activeElement.textContent) ||
          Number(document.querySelector('li[data-key] .event').closest('li').ariaSetSize) > n,
        before,
      );
    }
    assert.ok((await events()) < 80);
    assert.ok((await size()) > 400);
  });

  test('while one reads further down new ones wait with their number', async () => {
    await world.api('POST', '/passages', { agent_id: agent.id, text: 'Brand new words.' });
    const fresh = page.getByRole('button', { name: '1 new event' });
    await fresh.waitFor();
    assert.equal(await page.getByText('Brand new words.').count(), 0);
    assert.deepEqual(await violations(page), []);
    await world.api('POST', '/passages', { agent_id: agent.id, text: 'More new words.' });
    await page.getByRole('button', { name: '2 new events' }).click();
    await line('Brand new words.').waitFor();
    assert.match(await page.evaluate(() => document.activeElement.textContent), /More new words/);
    // At the top they join at once.
    await world.api('POST', '/passages', { agent_id: agent.id, text: 'The newest words.' });
    await line('The newest words.').waitFor();
  });

  test('the keyboard alone walks, opens, undoes and goes back', async () => {
    await search().focus();
    await page.locator('button.line').first().focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    const at = await page.evaluate(() => document.activeElement.textContent);
    await page.keyboard.press('Enter');
    await page.locator('.event.open button:text("Undo")').first().waitFor();
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute('aria-expanded')), 'true');
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Undo');
    await page.keyboard.press('Enter');
    await page.locator('.event.open', { hasText: 'Undone.' }).first().waitFor();
    await page.keyboard.press('Shift+Tab');
    assert.equal(await page.evaluate(() => document.activeElement.textContent), at);
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute('aria-expanded')), 'false');
  });

  test('what is put into the window by hand, and taken out, is told and leads there', async () => {
    await page.reload(); // at the top of the list
    await page.locator('.event').first().waitFor();
    const text = 'The spare key lies under the flower pot.';
    const { passages } = await world.api('POST', '/passages', { agent_id: agent.id, text });
    const put = (over) =>
      world.api('POST', `/conversations/${conversation.id}/pages`, { kind: 'passage', id: passages[0].id, ...over });
    await put({});
    await line('a memory was put in').waitFor();
    await put({ pinned: true });
    await line('a memory was pinned').waitFor();
    await put({ out: true });
    await line('a memory was taken out').click();
    const link = page.locator('.event.open').getByRole('link', { name: 'What stands in the window' });
    assert.equal(await link.getAttribute('href'), `#/context?in=${conversation.id}`);
  });

  test('it works at 360 px in the dark, in Chinese', async () => {
    const small = await world.page({
      width: 360,
      height: 740,
      theme: 'dark',
      language: 'zh-CN',
      path: '/#/activity?type=evictions,errors',
    });
    await small.locator('.event', { hasText: '换出窗口' }).first().waitFor();
    await small.locator('.event', { hasText: '回答失败' }).first().locator('button.line').click();
    await small.locator('.note.bad').waitFor();
    assert.deepEqual(await violations(small), []);
    assert.equal(await small.evaluate(() => document.scrollingElement.scrollWidth), 360);
    await shot(small, 'activity-360-dark');
    assert.deepEqual(small.faults, []);
    await small.context().close();
  });

  test('nothing went wrong in the page meanwhile', () => assert.deepEqual(page.faults, []));
});
