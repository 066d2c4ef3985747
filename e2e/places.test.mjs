// The column of places: conversations (found, renamed, pinned, archived, deleted and brought back, ten thousand of them)
// and agents, each with conversations of its own.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { World, answered, compose, say, undo, until, violations } from './world.mjs';

const places = (page) => page.getByRole('navigation', { name: 'Places' });
const row = (page, name) => places(page).getByRole('link', { name, exact: true });
const focused = (page) => page.evaluate(() => document.activeElement?.textContent?.trim());
/** The focus follows a list that changes, once it has. */
const focusComes = (page, name) =>
  until(
    () => focused(page),
    (now) => now === name,
  );
const act = async (page, conversation, action) => {
  await row(page, conversation).hover();
  await places(page)
    .getByRole('button', { name: `Actions for ${conversation}`, exact: true })
    .click();
  await page.getByRole('menuitem', { name: action }).click();
};

describe('conversations', () => {
  let world;
  let page;
  let agent;
  const ids = {};
  before(async () => {
    world = await World.open();
    agent = await world.ready();
    for (const title of ['Kitchen', 'Garden', 'Bicycle', '年糕换粮记录']) {
      ids[title] = (await world.api('POST', '/conversations', { agent_id: agent.id, title })).id;
    }
    page = await world.page({ path: `#/c/${ids['Kitchen']}` });
    await page.locator('#composer').waitFor();
    await say(page, 'The oven is called Vesuvius. It needs a new seal before Christmas.');
    await answered(page, 1);
  });
  after(() => world.close());

  test('are found as one types, by title and by what was said, and the sentence leads to the message', async () => {
    await page.locator('#composer').blur();
    await page.keyboard.press('/');
    const field = page.getByRole('searchbox', { name: 'Search conversations' });
    await field.fill('new sea');
    const hit = places(page).getByRole('link', { name: /It needs a new seal before Christmas/ });
    await hit.waitFor();
    assert.deepEqual(await hit.locator('mark').allInnerTexts(), ['new', 'sea']);
    assert.match(await hit.getAttribute('href'), /#\/c\/[\w-]+\?m=[\w-]+$/);
    await page.locator('#conversations-found', { hasText: '1 conversation found' }).waitFor({ state: 'attached' });
    assert.deepEqual(await violations(page), []);

    await field.fill('gard');
    await row(page, 'Garden').waitFor();
    await field.press('ArrowDown');
    assert.equal(await focused(page), 'Garden');
    await page.keyboard.press('ArrowUp');
    assert.ok(await field.evaluate((f) => f === document.activeElement));
    await field.fill('zebra');
    await places(page).getByText('No conversation has all of these words.').last().waitFor();
    await field.press('Escape');
    await row(page, 'Kitchen').waitFor();
    assert.ok(
      await places(page)
        .getByRole('button', { name: 'Search conversations' })
        .evaluate((b) => b === document.activeElement),
    );
  });

  test('are found by meaning where no message has all of the words', async () => {
    const words = 'Which oven carries the name Vesuvius';
    const path = `/api/search?agent_id=${agent.id}&query=${encodeURIComponent(words)}`;
    await page.waitForFunction(
      async (path) => (await (await fetch(path)).json()).hits.some((hit) => hit.sem_rank > 0),
      path,
    );
    await places(page).getByRole('button', { name: 'Search conversations' }).click();
    const field = page.getByRole('searchbox', { name: 'Search conversations' });
    await field.fill(words);
    await places(page).getByText('No conversation has all of these words.').last().waitFor();
    const hit = places(page)
      .getByRole('list', { name: 'By meaning' })
      .getByRole('link', { name: /called Vesuvius/ });
    await hit.waitFor();
    assert.match(await hit.getAttribute('href'), /#\/c\/[\w-]+\?m=[\w-]+$/);
    assert.deepEqual(await violations(page), []);
    await page.locator('#conversations-found', { hasText: 'By meaning: 1' }).waitFor({ state: 'attached' });
    await field.press('ArrowDown');
    assert.ok(await hit.evaluate((a) => a === document.activeElement));
    await page.keyboard.press('Escape');
  });

  test('an input method that is composing searches nothing yet', async () => {
    const asked = [];
    page.on('request', (r) => r.url().includes('query=') && asked.push(r.url()));
    await places(page).getByRole('button', { name: 'Search conversations' }).click();
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('Input.imeSetComposition', { text: 'niangao', selectionStart: 7, selectionEnd: 7 });
    await page.waitForTimeout(200); // longer than a search waits for the next letter
    assert.deepEqual(asked, []);
    await cdp.send('Input.insertText', { text: '年糕' });
    await row(page, '年糕换粮记录').waitFor();
    // Nor does the Enter that chooses open what was found.
    const { hash } = new URL(page.url());
    await page.getByRole('searchbox', { name: 'Search conversations' }).fill('');
    await compose(page, 'niangao', '年糕');
    await row(page, '年糕换粮记录').waitFor();
    assert.equal(new URL(page.url()).hash, hash);
    await page.keyboard.press('Escape');
  });

  test('are walked with the arrow keys, to both ends, and by their letters', async () => {
    await row(page, 'Kitchen').focus();
    await page.keyboard.press('Home');
    assert.equal(await focused(page), 'Kitchen');
    await page.keyboard.press('ArrowDown');
    assert.equal(await focused(page), '年糕换粮记录');
    await page.keyboard.press('End');
    assert.equal(await focused(page), 'Garden');
    await page.keyboard.press('k');
    assert.equal(await focused(page), 'Kitchen');
    await page.keyboard.press('b');
    assert.equal(await focused(page), 'Bicycle');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Bicycle', level: 1 }).waitFor();
    // Only one row is a stop of Tab, however many there are.
    assert.equal(await places(page).locator('a[data-stop][tabindex="0"]').count(), 1);
  });

  test('are renamed by F2 and deleted by Delete, and the focus stays in the list', async () => {
    await row(page, 'Bicycle').focus();
    await page.keyboard.press('F2');
    await places(page).getByRole('textbox', { name: 'Rename' }).fill('Comet');
    await page.keyboard.press('Enter');
    await row(page, 'Comet').waitFor();
    await focusComes(page, 'Comet');
    await page.keyboard.press('Delete');
    await row(page, 'Comet').waitFor({ state: 'detached' });
    await focusComes(page, 'Garden');
    await undo(page, '“Comet” was deleted.');
    await row(page, 'Comet').waitFor();
  });

  test('a pinned one stands first', async () => {
    await act(page, 'Garden', 'Pin');
    await places(page).getByRole('heading', { name: 'Pinned' }).waitFor();
    assert.match(await places(page).locator('a[data-stop]').first().innerText(), /Garden/);
    await act(page, 'Garden', 'Unpin');
    await places(page).getByRole('heading', { name: 'Pinned' }).waitFor({ state: 'detached' });
  });

  test('an archived one goes to its fold, at once or with Undo, and can still be read and written', async () => {
    await act(page, 'Garden', 'Archive');
    await undo(page, '“Garden” was archived.');
    await row(page, 'Garden').waitFor();
    await act(page, 'Garden', 'Archive');
    await row(page, 'Garden').waitFor({ state: 'detached' });
    const fold = places(page).getByRole('button', { name: /^Archived/ });
    assert.equal(await fold.getAttribute('aria-expanded'), 'false');
    await fold.focus();
    await page.keyboard.press('ArrowRight');
    await row(page, 'Garden').click();
    await page.getByRole('heading', { name: 'Garden', level: 1 }).waitFor();
    await page.locator('#composer').waitFor();
    assert.deepEqual(await violations(page), []);
    await act(page, 'Garden', 'Take out of the archived');
    await fold.waitFor({ state: 'detached' });
    await row(page, 'Garden').waitFor();
  });

  test('a deleted one comes back also later, from the fold of the deleted', async () => {
    await act(page, 'Garden', 'Delete');
    await page.reload();
    await places(page)
      .getByRole('button', { name: /^Deleted/ })
      .click();
    await act(page, 'Garden', 'Bring back');
    await places(page)
      .getByRole('button', { name: /^Deleted/ })
      .waitFor({ state: 'detached' });
    await row(page, 'Garden').waitFor();
  });

  test('what happens in another window shows in the list', async () => {
    await world.api('PATCH', `/conversations/${ids['Garden']}`, { title: 'Orchard' });
    await row(page, 'Orchard').waitFor();
    await world.api('PATCH', `/conversations/${ids['Garden']}`, { archived: true });
    await row(page, 'Orchard').waitFor({ state: 'detached' });
    await world.api('PATCH', `/conversations/${ids['Garden']}`, { archived: false });
    await row(page, 'Orchard').waitFor();
    await world.api('POST', '/conversations', { agent_id: agent.id, title: 'Begun elsewhere' });
    await row(page, 'Begun elsewhere').waitFor();
  });

  test('the next and the previous one are a key away', async () => {
    await row(page, 'Begun elsewhere').click();
    await page.keyboard.press('Alt+ArrowDown');
    await page.getByRole('heading', { name: 'Kitchen', level: 1 }).waitFor();
    await page.keyboard.press('Alt+ArrowUp');
    await page.getByRole('heading', { name: 'Begun elsewhere', level: 1 }).waitFor();
  });

  test('nothing went wrong in the page meanwhile', () => assert.deepEqual(page.faults, []));
});

describe('very many conversations', () => {
  const MANY = 3000;
  let world;
  let page;
  before(async () => {
    world = await World.open();
    const agent = await world.ready();
    for (let n = 0; n < MANY; n += 50) {
      await Promise.all(
        Array.from({ length: 50 }, (_, i) =>
          world.api('POST', '/conversations', { agent_id: agent.id, title: `Number ${n + i}` }),
        ),
      );
    }
    page = await world.page();
    await page.locator('#composer').waitFor();
  });
  after(() => world.close());

  test('only those in view are on the page, and all can be reached', async () => {
    await page.waitForFunction((least) => document.querySelector('nav .rows')?.scrollHeight > least, MANY * 28);
    assert.ok((await places(page).locator('a[data-stop]').count()) < 80);
    await places(page).locator('a[data-stop]').first().focus();
    await page.keyboard.press('End');
    const last = await focused(page);
    assert.match(last, /^Number \d+$/);
    const item = places(page).locator('li', { has: page.locator(':focus') });
    assert.equal(await item.getAttribute('aria-setsize'), await item.getAttribute('aria-posinset'));
    assert.ok((await places(page).locator('a[data-stop]').count()) < 80);
    await page.keyboard.press('ArrowUp');
    assert.notEqual(await focused(page), last);
    await page.keyboard.press('Home');
    await page.waitForFunction(() => document.querySelector('nav .rows')?.scrollTop === 0);
  });

  test('a link to one far down shows it in the list', async () => {
    const { conversations } = await world.api('GET', '/conversations?limit=500&query=Number+17');
    const wanted = conversations.find((c) => c.title === 'Number 17');
    await page.goto(new URL(`#/c/${wanted.id}`, page.url()).href);
    await page.getByRole('heading', { name: 'Number 17', level: 1 }).waitFor();
    await row(page, 'Number 17').waitFor();
    assert.equal(await row(page, 'Number 17').getAttribute('aria-current'), 'page');
    assert.deepEqual(page.faults, []);
  });
});

describe('agents', () => {
  let world;
  let page;
  let first;
  before(async () => {
    world = await World.open();
    first = await world.ready();
    await world.api('PATCH', `/agents/${first.id}`, { name: 'Wren' });
    page = await world.page();
    await page.locator('#composer').waitFor();
    await say(page, 'Words for Wren');
    await answered(page, 1);
  });
  after(() => world.close());

  const main = () => page.locator('main');
  const change = async (choice) => {
    await places(page)
      .getByRole('button', { name: /^Agent: / })
      .click();
    await page.getByRole('menu').getByText(choice, { exact: true }).click();
  };
  const agents = async () => (await world.api('GET', '/agents')).agents;
  const blocks = async (name) => {
    const { id } = (await agents()).find((a) => a.name === name);
    return (await world.api('GET', `/blocks?agent_id=${id}`)).blocks;
  };

  test('a new one has a character from a template, changed by the user, and conversations of its own', async () => {
    await change('New agent');
    await main()
      .getByRole('radio', { name: /^Tutor/ })
      .check();
    const text = main().getByRole('textbox', { name: /What it reads about itself/ });
    const says = (words) =>
      page.waitForFunction((wanted) => document.querySelector('main textarea').value.startsWith(wanted), words);
    await says('I am Tutor, a patient tutor.');
    await main().getByRole('textbox', { name: 'Name' }).fill('小雨');
    await says('I am 小雨, a patient tutor.');
    await main().getByRole('combobox', { name: 'Language' }).selectOption('zh');
    await says('我是小雨，一位有耐心的老师。');
    await main().getByRole('combobox', { name: 'Language' }).selectOption('en');
    await says('I am 小雨, a patient tutor.');
    await text.fill('You are Sage, who explains one step at a time.');
    await main().getByRole('textbox', { name: 'Name' }).fill('Sage');
    assert.deepEqual(await violations(page), []);
    await main().getByRole('button', { name: 'Create agent' }).click();
    await page.getByRole('heading', { name: 'Write to Sage' }).waitFor();
    assert.equal(await places(page).locator('a[data-stop]').count(), 0);
    await say(page, 'Words for Sage');
    await answered(page, 1);
    await row(page, 'Words for Sage').waitFor();
    assert.equal(
      (await blocks('Sage')).find((b) => b.label === 'persona').value,
      'You are Sage, who explains one step at a time.',
    );
  });

  test('the switch goes between them, each with its own conversations, and a link chooses by itself', async () => {
    const sage = page.url();
    await change('Wren');
    await page.locator('article.user', { hasText: 'Words for Wren' }).waitFor();
    assert.equal(await row(page, 'Words for Sage').count(), 0);
    await page.goto(sage);
    await row(page, 'Words for Sage').waitFor();
    await places(page).getByRole('button', { name: 'Agent: Sage' }).waitFor();
    await page.reload();
    await row(page, 'Words for Sage').waitFor();
  });

  test('settings are kept at once: name, model, temperature, tools', async () => {
    await change('Edit agents');
    await page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor();
    const name = main().getByRole('textbox', { name: 'Name', exact: true });
    await name.fill('Owl');
    await name.press('Tab');
    await main().getByRole('heading', { name: 'Owl' }).waitFor();
    const temperature = main().getByRole('spinbutton', { name: /^Temperature/ });
    await temperature.fill('0.4');
    await temperature.press('Tab');
    await main()
      .getByRole('checkbox', { name: /^Write a block anew/ })
      .uncheck();
    await page.waitForFunction(async () => {
      const { agents } = await (await fetch('/api/agents')).json();
      const owl = agents.find((a) => a.name === 'Owl');
      return owl?.temperature === 0.4 && owl.tools_off.join() === 'memory_rethink';
    });
    assert.deepEqual(await violations(page), []);
    await main()
      .getByRole('checkbox', { name: /^Write a block anew/ })
      .check();
    const isKept = (r) => r.request().method() === 'PATCH' && r.request().postData().includes('temperature');
    const kept = page.waitForResponse(isKept);
    await temperature.fill('');
    await temperature.press('Tab');
    await (await kept).finished(); // the page shows it: what is typed next stays
    await page.waitForFunction(async () => {
      const { agents } = await (await fetch('/api/agents')).json();
      const owl = agents.find((a) => a.name === 'Owl');
      return owl?.temperature === null && owl.tools_off.length === 0;
    });
  });

  test('a value out of its range is not kept, and says so', async () => {
    const temperature = main().getByRole('spinbutton', { name: /^Temperature/ });
    await temperature.fill('7');
    await temperature.press('Tab');
    assert.equal(await temperature.evaluate((f) => f.matches(':invalid')), true);
    assert.equal((await agents()).find((a) => a.name === 'Owl').temperature, null);
    await temperature.fill('');
  });

  test('a clone has copies of the blocks, or the same ones', async () => {
    for (const [name, choice] of [
      ['Copy', 'Copies, which go their own way'],
      ['Twin', 'The same blocks, shared by both'],
    ]) {
      await change('Owl');
      await change('Edit agents');
      await main().getByRole('button', { name: 'Clone' }).click();
      await main().getByRole('textbox', { name: 'Name', exact: true }).last().fill(name);
      await main().getByRole('radio', { name: choice }).check();
      await main().getByRole('button', { name: 'Clone' }).click();
      await main().getByRole('heading', { name, exact: true }).waitFor();
    }
    const ids = async (name) => (await blocks(name)).map((b) => b.id).sort();
    assert.deepEqual(await ids('Twin'), await ids('Owl'));
    assert.notDeepEqual(await ids('Copy'), await ids('Owl'));
    assert.deepEqual(
      (await blocks('Copy')).map((b) => b.value),
      (await blocks('Owl')).map((b) => b.value),
    );
  });

  test('blocks are detached with Undo and attached from other agents', async () => {
    await page.getByRole('button', { name: 'Detach human' }).click();
    await undo(page, 'human was detached.');
    await page.getByRole('button', { name: 'Detach human' }).waitFor();
    await page.getByRole('button', { name: 'Detach human' }).click();
    await page.getByRole('button', { name: 'Detach human' }).waitFor({ state: 'detached' });
    // Several are called human: each says whose it is.
    await page
      .getByRole('combobox', { name: 'Attach a block of another agent' })
      .selectOption({ label: 'human (Owl)' });
    await page.getByRole('button', { name: 'Detach human' }).waitFor();
    // One of that label takes the place of the one that is there.
    const human = async () => (await blocks('Twin')).find((b) => b.label === 'human').id;
    const shared = await human();
    const { id: other } = (await blocks('Copy')).find((b) => b.label === 'human');
    await page
      .getByRole('combobox', { name: 'Attach a block of another agent' })
      .selectOption({ label: 'human (Copy): takes the place of its own, which stays stored' });
    await page.locator('.toast', { hasText: 'human was attached to Twin, in the place of its own' }).waitFor();
    assert.equal(await human(), other);
    await undo(page, 'human was attached to Twin');
    await until(human, (now) => now === shared);
  });

  test('a new one can know of the user what another one knows', async () => {
    await change('New agent');
    const knows = main().getByRole('combobox', { name: /What it knows of you/ });
    await knows.locator('option', { hasText: 'The same as Copy (shared)' }).waitFor({ state: 'attached' });
    assert.equal(await knows.evaluate((field) => field.selectedOptions[0].label), 'Nothing yet');
    await knows.selectOption({ label: 'The same as Copy (shared)' });
    assert.deepEqual(await violations(page), []);
    await main().getByRole('textbox', { name: 'Name' }).fill('Friend');
    await main().getByRole('button', { name: 'Create agent' }).click();
    await page.getByRole('heading', { name: 'Write to Friend' }).waitFor();
    const id = async (name) => (await blocks(name)).find((b) => b.label === 'human').id;
    assert.equal(await id('Friend'), await id('Copy'));
    assert.equal((await blocks('Friend')).length, 2);
    await world.api('DELETE', `/agents/${(await agents()).find((a) => a.name === 'Friend').id}`);
    await change('Twin');
    await change('Edit agents');
  });

  test('a deleted one comes back with its conversations, at once or later', async () => {
    await change('Owl');
    await change('Edit agents');
    await main().getByRole('button', { name: 'Delete', exact: true }).click();
    await undo(page, 'Owl was deleted, with its conversations.');
    await change('Owl');
    await row(page, 'Words for Sage').waitFor();
    await change('Edit agents');
    await main().getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('Owl was deleted, with its conversations.').waitFor();
    await page.reload();
    await main()
      .getByText(/^Deleted agents/)
      .click();
    await main().getByRole('button', { name: 'Bring Owl back' }).click();
    await change('Owl');
    await page.locator('article.user', { hasText: 'Words for Sage' }).waitFor();
  });

  test('the conversation of an agent that is deleted elsewhere says so, and Undo brings both back', async () => {
    const owl = (await agents()).find((a) => a.name === 'Owl');
    await world.api('DELETE', `/agents/${owl.id}`);
    await page.getByText('This conversation was deleted.').waitFor();
    await main().getByRole('button', { name: 'Undo' }).click();
    await page.locator('article.user', { hasText: 'Words for Sage' }).waitFor();
    await places(page).getByRole('button', { name: 'Agent: Owl' }).waitFor();
  });

  test('the only agent cannot be deleted, and says why', async () => {
    for (const a of (await agents()).filter((a) => a.id !== first.id)) await world.api('DELETE', `/agents/${a.id}`);
    await page.goto(new URL(`#/agents/${first.id}`, page.url()).href);
    await main().getByText('It is the only agent. Make another one first.').waitFor();
    assert.equal(await main().getByRole('button', { name: 'Delete', exact: true }).isDisabled(), true);
  });

  test('nothing went wrong in the page meanwhile', () => assert.deepEqual(page.faults, []));
});
