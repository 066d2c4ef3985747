// The page in Chromium, against `recollect serve` with the fake engine.
import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { join } from 'node:path';
import { answered, out, say, violations, World } from './world.mjs';

const shot = (page, name) => page.screenshot({ path: join(out, `${name}.png`) });
const panel = (page) => page.locator('aside.panel');
const block = (page, label) =>
  panel(page).locator('details', {
    has: page.locator(`b:text-is("${label}")`),
  });

describe('first run', () => {
  let world;
  before(async () => (world = await World.open()));
  after(() => world.close());

  test('says what the starter cannot do, in the language of the user, and begins with one click', async () => {
    const chinese = await world.page({ language: 'zh-CN' });
    await chinese.getByRole('heading', { name: '对话用的模型' }).waitFor();
    assert.match(await chinese.locator('main').innerText(), /几乎不懂中文/);
    assert.deepEqual(await violations(chinese), []);
    await shot(chinese, 'first-run-zh');
    assert.deepEqual(chinese.faults, []);
    await chinese.context().close();

    const page = await world.page({ theme: 'dark' });
    await page.getByRole('button', { name: 'Begin' }).waitFor();
    assert.match(await page.locator('main').innerText(), /knows hardly any Chinese/);
    assert.deepEqual(await violations(page), []);
    await page
      .locator('main')
      .getByRole('button', { name: /^Chosen: / })
      .waitFor();
    await shot(page, 'first-run-dark');
    await page.getByRole('button', { name: 'Begin' }).click();
    await say(page, 'Hello there');
    const answer = await answered(page, 1);
    assert.match(await answer.innerText(), /Hello there/);
    assert.deepEqual(page.faults, []);
    await page.context().close();
  });

  test('the token does not stay in the address', async () => {
    const page = await world.page();
    await page.locator('#composer').waitFor();
    assert.doesNotMatch(page.url(), /token/);
    await page.context().close();
  });

  test('without the token there is nothing to see, and the page says how to get in', async () => {
    const context = await world.browser.newContext();
    const page = await context.newPage();
    await page.goto(new URL('/', world.link).href);
    await page.getByText('recollect serve').waitFor();
    await context.close();
  });
});

describe('chat', () => {
  let world;
  let page;
  before(async () => {
    world = await World.open();
    await world.ready();
    page = await world.page();
    await page.locator('#composer').waitFor();
  });
  after(() => world.close());

  const fresh = async () => {
    await page.getByRole('button', { name: 'New conversation' }).click();
    await page.getByRole('heading', { name: /^Write to/ }).waitFor();
  };

  test('an answer streams, is announced once, and carries its receipt', async () => {
    await say(page, '[[slow 30]] [[say # Title\n\nSome **bold** words.\n\n```js\nlet a = 1;\n```\n\nThe end.]]');
    await page.locator('article.answer[aria-busy="true"]').waitFor();
    const answer = await answered(page, 1);
    await answer.locator('strong', { hasText: 'bold' }).waitFor();
    await answer.locator('summary', { hasText: /nothing recalled|Recalled/ }).waitFor();
    await page.waitForFunction(() => /The end/.test(document.querySelector('[data-testid=announcer]').textContent));
    assert.match(await page.locator('[data-testid=announcer]').innerText(), /Title Some bold words/);
    await answer.getByRole('button', { name: 'Copy code' }).click();
    await page.waitForFunction(() => /Copied/.test(document.querySelector('[data-testid=announcer]').textContent));
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), 'let a = 1;');
  });

  test('a wish is remembered: the change shows in place, in the panel, and can be taken back and redone', async () => {
    await fresh();
    await say(page, 'Remember that my bicycle is called Comet.');
    await answered(page, 1);
    const card = page.getByRole('region', { name: 'Memory changed' });
    await card.locator('ins', { hasText: 'bicycle is called Comet' }).waitFor();
    await block(page, 'human').locator('summary').click();
    await block(page, 'human').getByText('bicycle is called Comet').first().waitFor();

    await card.getByRole('button', { name: 'Undo' }).click();
    await card.getByText('Undone.').waitFor();
    await block(page, 'human').getByText('Nothing here yet.').waitFor();
    await card.getByRole('button', { name: 'Redo' }).click();
    await block(page, 'human').getByText('bicycle is called Comet').first().waitFor();
    await card.getByRole('button', { name: 'Undo' }).waitFor();
  });

  test('a memory edit by the model shows the words it wrote', async () => {
    await fresh();
    await say(page, '[[tool core_memory_append {"label":"human","content":"Likes tea."}]]');
    const answer = await answered(page, 1);
    await answer.locator('.diff.model ins', { hasText: 'Likes tea.' }).waitFor();
    await answer.getByText('Used core_memory_append').click();
    await answer.getByText('"Likes tea."').waitFor();
    await shot(page, 'memory-edit');
  });

  test('what was said in one conversation is recalled in another', async () => {
    await fresh();
    await say(page, 'The violin teacher is called Aurelia Winterbottom.');
    await answered(page, 1);
    await fresh();
    await say(page, 'What was the name of the violin teacher Aurelia?');
    const answer = await answered(page, 1);
    const receipt = answer.locator('summary', {
      hasText: /Recalled \d+ of \d+/,
    });
    await receipt.click();
    await answer.locator('td', { hasText: 'Winterbottom' }).first().waitFor();
    await shot(page, 'receipt');
    assert.deepEqual(await violations(page), []);
  });

  test('stop keeps what came, and the answer can be continued', async () => {
    await fresh();
    await say(page, '[[slow 60]] [[long 200]]');
    await page.locator('article.answer li').nth(1).waitFor();
    await page.locator('#composer').press('Escape');
    const answer = await answered(page, 1);
    await answer.getByText('Stopped by you').waitFor();
    assert.ok((await answer.locator('li').count()) >= 1);
    await answer.getByRole('button', { name: 'Continue' }).waitFor();
  });

  test('answering again makes a branch, and the switcher goes between them', async () => {
    await fresh();
    await say(page, 'First words');
    let answer = await answered(page, 1);
    await answer.getByRole('button', { name: 'Answer again' }).click();
    await page.getByText('2 of 2').waitFor();
    answer = await answered(page, 1);
    await answer.getByRole('button', { name: 'Previous branch' }).click();
    await page.getByText('1 of 2').waitFor();
  });

  test('an edited message begins a branch and the old one stays', async () => {
    await fresh();
    await say(page, 'Old words');
    await answered(page, 1);
    await page.locator('article.user').hover();
    await page.getByRole('button', { name: 'Edit the message' }).click();
    await page.getByRole('textbox', { name: 'Edit the message' }).fill('New words');
    await page.getByRole('button', { name: 'Send as a new branch' }).click();
    await page.locator('article.answer', { hasText: 'New words' }).waitFor();
    await page.locator('article.user').getByRole('button', { name: 'Previous branch' }).click();
    await page.locator('article.answer', { hasText: 'Old words' }).waitFor();
  });

  test('a failure names its cause and the next step, and the message is kept', async () => {
    await fresh();
    await say(page, 'Precious words [[status 500 the runner has gone]]');
    const answer = await answered(page, 1);
    await answer.locator('.note.bad').waitFor();
    assert.match(await answer.innerText(), /the runner has gone/);
    await answer.locator('.note.bad button').waitFor();
    await page.locator('article.user', { hasText: 'Precious words' }).waitFor();
    await shot(page, 'failure');
  });

  test('a new message during an answer waits for it', async () => {
    await fresh();
    await say(page, '[[slow 40]] [[long 10]]');
    await page.locator('article.answer li').first().waitFor();
    await say(page, 'Second question');
    await page.locator('article.answer', { hasText: 'Second question' }).waitFor();
    assert.equal(await page.locator('article.user').count(), 2);
    assert.equal(await page.locator('article.answer').count(), 2);
  });

  test('Enter during the composition of an input method does not send', async () => {
    await fresh();
    const cdp = await page.context().newCDPSession(page);
    await page.locator('#composer').focus();
    await cdp.send('Input.imeSetComposition', {
      text: 'niangao',
      selectionStart: 7,
      selectionEnd: 7,
    });
    await cdp.send('Input.dispatchKeyEvent', {
      type: 'rawKeyDown',
      key: 'Enter',
      code: 'Enter',
      windowsVirtualKeyCode: 229,
    });
    await cdp.send('Input.insertText', { text: '年糕' });
    assert.equal(await page.locator('#composer').inputValue(), '年糕');
    assert.equal(await page.locator('article.user').count(), 0);
    await page.locator('#composer').press('Enter');
    await page.locator('article.user', { hasText: '年糕' }).waitFor();
    await answered(page, 1);
  });

  test('links leave through the browser only, images are not fetched, HTML is shown as text', async () => {
    await fresh();
    const fetched = [];
    page.on('request', (request) => fetched.push(request.url()));
    await say(
      page,
      '[[say See [docs](https://example.org/x) and ![pixel](https://example.org/p.png) and <img src=//example.org/y>]]',
    );
    const answer = await answered(page, 1);
    await answer.locator('a', { hasText: 'docs' }).waitFor();
    await answer.getByText('<img src=//example.org/y>').waitFor();
    assert.equal(await answer.locator('img').count(), 0);
    assert.deepEqual(
      fetched.filter((url) => url.includes('example.org')),
      [],
    );
  });

  test('right-to-left, emoji and lone surrogates come through', async () => {
    await fresh();
    await say(page, 'שלום 👩‍👩‍👧 \ud800 مرحبا');
    const answer = await answered(page, 1);
    assert.match(await answer.innerText(), /שלום 👩‍👩‍👧/);
  });

  test('the draft survives a reload, one for each conversation', async () => {
    await fresh();
    await page.locator('#composer').fill('not yet sent');
    await page.waitForTimeout(400); // drafts are kept 300 ms after the last key
    await page.reload();
    await page.locator('#composer').waitFor();
    assert.equal(await page.locator('#composer').inputValue(), 'not yet sent');
    await page.locator('#composer').fill('');
  });

  test('nothing went wrong in the page meanwhile', () => assert.deepEqual(page.faults, []));
});

describe('large input', () => {
  let world;
  let page;
  before(async () => {
    world = await World.open();
    await world.ready();
    page = await world.page();
    await page.locator('#composer').waitFor();
    await say(page, 'Hello');
    await answered(page, 1);
  });
  after(() => world.close());

  const paste = async (text) => {
    await page.evaluate((value) => navigator.clipboard.writeText(value), text);
    await page.locator('#composer').focus();
    await page.keyboard.press('Control+A');
    await page.keyboard.press('Control+V');
  };

  test('1 MB is pasted, counted and offered to the archive, and the page stays usable', async () => {
    await paste('All the words of a long book, 年糕。 '.repeat(29_000));
    await page.getByText(/tokens; the window has room for/).waitFor();
    await shot(page, 'too-long');
    await page.getByRole('button', { name: 'Store it in the archive' }).click();
    await page.getByText(/Stored in the archive as \d+ passages/).waitFor();
    assert.equal(await page.locator('#composer').inputValue(), '');
    await page.getByRole('tab', { name: 'Archive' }).click();
    await panel(page).getByText('All the words of a long book').first().waitFor();
  });

  test('more than can be sent at once says so with the numbers', async () => {
    await paste('x'.repeat(1_000_100));
    await page.getByText(/1,000,100 characters; 1,000,000 can be sent/).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Send', exact: true }).isDisabled(), true);
    await page.locator('#composer').fill('');
  });

  test('nothing went wrong in the page meanwhile', () => assert.deepEqual(page.faults, []));
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
    await block(page, 'human').getByText('12 / 2,000').waitFor();
    assert.equal((await current('human')).value, 'Called Mina.');
  });

  test('over the limit nothing can be saved, and it says by how much', async () => {
    await edit('human', 'x'.repeat(2003));
    await block(page, 'human').getByText('3 too many').waitFor();
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
    await block(page, 'human').getByText('Called Mina, 34.').first().waitFor();
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
    await block(page, 'human').getByText('Called Mina, 35.').first().waitFor();
    assert.equal((await current('human')).value, 'Called Mina, 35.');
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
    await page.getByText('rides was deleted.').waitFor();
    await block(page, 'rides').waitFor({ state: 'detached' });
    await page.getByRole('region', { name: 'State' }).getByRole('button', { name: 'Undo' }).click();
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
      await panel(page).getByRole('button', { name: 'Add a passage' }).click();
      await panel(page).getByLabel('Text of the passage').fill(text);
      await panel(page).getByRole('button', { name: 'Add', exact: true }).click();
      await panel(page).getByText(text).waitFor();
    }
    await panel(page).getByRole('searchbox').fill('彗星');
    // By meaning others may follow, but what has the words comes first.
    await panel(page).locator('li').first().getByText('自行车叫彗星').waitFor();
    await panel(page).getByRole('button', { name: 'Delete this passage' }).first().click();
    await panel(page).getByText('自行车叫彗星').waitFor({ state: 'detached' });
    await page.getByRole('region', { name: 'State' }).getByRole('button', { name: 'Undo' }).last().click();
    await panel(page).getByText('自行车叫彗星').waitFor();
  });

  test('nothing went wrong in the page meanwhile', () => assert.deepEqual(page.faults, []));
});

describe('conversations, windows and restarts', () => {
  let world;
  let page;
  before(async () => {
    world = await World.open();
    await world.ready();
    page = await world.page();
    await page.locator('#composer').waitFor();
  });
  after(() => world.close());

  const list = () => page.getByRole('navigation', { name: 'Places' });

  test('a conversation is named after its first message, renamed, deleted and brought back', async () => {
    await say(page, 'Packing list for the kitchen');
    await answered(page, 1);
    const row = list().getByRole('link', { name: /Packing list/ });
    await row.waitFor();
    await row.hover();
    await list()
      .getByRole('button', { name: /^Actions for Packing list/ })
      .click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await list().getByRole('textbox', { name: 'Rename' }).fill('Kitchen');
    await list().getByRole('textbox', { name: 'Rename' }).press('Enter');
    await list().getByRole('link', { name: 'Kitchen' }).waitFor();

    await list().getByRole('link', { name: 'Kitchen' }).hover();
    await list().getByRole('button', { name: 'Actions for Kitchen' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await list().getByRole('link', { name: 'Kitchen' }).waitFor({ state: 'detached' });
    await page.getByRole('region', { name: 'State' }).getByRole('button', { name: 'Undo' }).click();
    await list().getByRole('link', { name: 'Kitchen' }).waitFor();
    await page.locator('article.user', { hasText: 'Packing list' }).waitFor();
  });

  test('two windows on one conversation show the same', async () => {
    const other = await world.page();
    await other.locator('article.user', { hasText: 'Packing list' }).waitFor();
    await say(page, '[[slow 20]] [[long 5]]');
    await other.locator('article.answer li').nth(4).waitFor();
    await say(other, 'From the other window');
    await page.locator('article.user', { hasText: 'From the other window' }).waitFor();
    await page.locator('article.answer', { hasText: 'From the other window' }).waitFor();
    assert.deepEqual(other.faults, []);
    await other.context().close();
  });

  test('a conversation deleted elsewhere says so where it is open, and Undo brings it back', async () => {
    const { conversations } = await world.api('GET', '/conversations');
    const [{ id }] = conversations;
    await page.goto(new URL(`#/c/${id}`, page.url()).href);
    await page.locator('article.user').first().waitFor();
    await world.api('DELETE', `/conversations/${id}`);
    await page.getByText('This conversation was deleted.').waitFor();
    assert.equal(await page.locator('article').count(), 0);
    await page.reload();
    await page.getByText('This conversation was deleted.').waitFor();
    assert.deepEqual(await violations(page), []);
    await shot(page, 'gone');
    await page.locator('main').getByRole('button', { name: 'Undo' }).click();
    await page.locator('article.user', { hasText: 'Packing list' }).waitFor();
    await page.locator('#composer').waitFor();
  });

  test('Chat goes back from the settings to the conversation that was read', async () => {
    const before = page.url();
    await list().getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
    await list().getByRole('link', { name: 'Chat', exact: true }).click();
    await page.locator('article.user', { hasText: 'Packing list' }).waitFor();
    assert.equal(page.url(), before);
  });

  test('a window opened while an answer is written catches up with it', async () => {
    await say(page, '[[slow 30]] [[long 30]]');
    await page.locator('article.answer').last().locator('li').nth(3).waitFor();
    const late = await world.page();
    await late.locator('article.answer').last().locator('li').nth(29).waitFor();
    await late.locator('article.answer[aria-busy="true"]').waitFor({ state: 'detached' });
    assert.equal(await late.locator('article.answer').last().locator('li').count(), 30);
    assert.deepEqual(late.faults, []);
    await late.context().close();
  });

  test('keyboard alone: from the top of the page to a sent message', async () => {
    await page.locator('#composer').fill('');
    const first = page.locator('a, button, input, textarea, [tabindex="0"]').first();
    assert.equal(await first.innerText(), 'Skip to the message field');
    await first.focus();
    await page.keyboard.press('Enter');
    await page.keyboard.type('Typed');
    await page.keyboard.press('Enter');
    await page.locator('article.user', { hasText: 'Typed' }).waitFor();
    await page.locator('article.answer', { hasText: 'Typed' }).waitFor();
  });

  test('after a restart everything is there, and an open page finds it again by itself', async () => {
    const address = new URL(world.link).host;
    await world.stopServer();
    await page.getByText('Connecting to Recollect again').waitFor();
    await world.serve(address);
    const again = await world.page();
    await again.locator('article.user', { hasText: 'Packing list' }).waitFor();
    await again.getByRole('link', { name: 'Kitchen' }).waitFor();
    assert.deepEqual(again.faults, []);
    await again.context().close();
  });

  test('a message whose turn had not begun when the app was killed can still be answered', async () => {
    const address = new URL(world.link).host;
    const before = await world.page();
    await say(before, '[[slow 500]] [[long 20]]');
    await before.locator('article.answer[aria-busy="true"]').waitFor();
    await say(before, 'And the cellar?');
    await before.locator('article.user', { hasText: 'And the cellar?' }).waitFor();
    await world.killServer();
    await world.serve(address);
    // The new server has a new link, and the page that is still open says so.
    await before.getByText('Open the link').first().waitFor();
    await before.context().close();
    const window = await world.page();
    await window.getByText('This message has no answer').waitFor();
    await window.getByRole('button', { name: 'Answer', exact: true }).click();
    await window.locator('article.answer', { hasText: 'And the cellar?' }).waitFor();
    assert.equal(await window.getByText('This message has no answer').count(), 0);
    assert.deepEqual(window.faults, []);
    await window.context().close();
  });
});

describe('looks', () => {
  const script = {
    'still open before the move':
      '[[say Three things: the van, which you wanted for the 27th; a date with the landlord for the meters; and a vet in Hamburg for Niangao. Comet is at the bike shop until Thursday.]]',
    'I get the keys on 28 November':
      '[[tool core_memory_replace {"label":"human","old_content":"Gets the keys on 21 November.","new_content":"Gets the keys on 28 November, a Saturday."}]]',
    'When does Comet come back':
      '[[think The archive says Thursday.]] [[say On **Thursday**. The days until then:\n\n```python\nfrom datetime import date\n\ndays = (date(2026, 12, 3) - date.today()).days\n```\n\n| Day | What |\n|---|---|\n| Thursday | fetch Comet |\n| Saturday | keys |\n]]',
  };
  let world;
  before(async () => {
    world = await World.open({ script });
    const agent = await world.ready();
    await world.api('PATCH', `/agents/${agent.id}`, { name: 'Wren' });
    await world.api('PATCH', '/settings', { window: 8192 });
    const core = await world.api('GET', `/agents/${agent.id}/core`);
    const set = (label, value) =>
      world.api('PATCH', `/blocks/${core.blocks.find((b) => b.label === label).id}`, { value, limit: 400 });
    await set('persona', 'You are Wren: patient, exact, brief. You say where a memory comes from.');
    await set(
      'human',
      'Called Mina. Wants short answers, code before words.\nAnswer in the language of the question.\nGets the keys on 21 November.\nBicycle: Comet, a steel tourer.\nCat: Niangao, six, sensitive stomach.',
    );
    await world.api('POST', `/agents/${agent.id}/blocks`, {
      label: 'move',
      limit: 200,
      description: 'Dates, people and open points of the move.',
      value:
        'Flat in Ottensen, third floor, no lift. Van pencilled in for the 27th, to be moved to the 28th. Meters: a date with the landlord is open. Vet in Hamburg: ask Ida.',
    });
    await world.api('POST', '/passages', {
      agent_id: agent.id,
      text: 'Comet, the bicycle, is at the bike shop until Thursday.',
    });
    await world.api('POST', '/passages', {
      agent_id: agent.id,
      text: '阳台上的百合：待确认',
    });
    const page = await world.page();
    await page.locator('#composer').waitFor();
    for (const title of ['Which vet in Altona takes cats?', '年糕换粮记录', 'Packing list for the kitchen']) {
      await page.goto(new URL('#/new', page.url()).href);
      await page.locator('.empty').waitFor();
      await say(page, title);
      await answered(page, 1);
    }
    await page.goto(new URL('#/new', page.url()).href);
    await page.locator('.empty').waitFor();
    await say(page, 'Morning. What is still open before the move?');
    await answered(page, 1);
    await say(page, 'New plan: I get the keys on 28 November, not the 21st.');
    await answered(page, 2);
    await say(page, 'When does Comet come back from the bike shop?');
    await answered(page, 3);
    await page.context().close();
  });
  after(() => world.close());

  test('the picture for the README', async () => {
    const page = await world.page();
    await page.locator('article.answer').nth(2).waitFor();
    await block(page, 'human').locator('summary').click();
    await page.getByRole('region', { name: 'Memory changed' }).locator('ins', { hasText: 'a Saturday' }).waitFor();
    await page.locator('.place summary', { hasText: 'Recalled' }).last().waitFor();
    await page.waitForTimeout(400); // the receipts near the eye are fetched
    await shot(page, 'screenshot');
    if (process.env.SCREENSHOT) copyFileSync(join(out, 'screenshot.png'), process.env.SCREENSHOT);
    assert.deepEqual(page.faults, []);
    await page.context().close();
  });

  for (const [theme, language] of [
    ['light', 'en-US'],
    ['dark', 'en-US'],
    ['light', 'zh-CN'],
    ['dark', 'zh-CN'],
  ]) {
    test(`no violation and no overflow on any screen, ${theme}, ${language}`, async () => {
      const name = `${theme}-${language.slice(0, 2)}`;
      const page = await world.page({ theme, language });
      await page.locator('article.answer').nth(2).waitFor();
      await page.locator('aside details').nth(1).locator('summary').click();
      await page.locator('article.answer .place summary').last().click();
      await page.locator('.body table').first().waitFor();
      await page.waitForTimeout(200);
      await shot(page, `chat-${name}`);
      assert.deepEqual(await violations(page), []);

      await page.locator('.rest').click();
      await page.locator('section.open').waitFor();
      await shot(page, `context-${name}`);
      assert.deepEqual(await violations(page), []);
      await page.keyboard.press('Escape');

      await page.locator('header .picker > button').click();
      await page.locator('.picker .models').waitFor();
      await shot(page, `models-${name}`);
      assert.deepEqual(await violations(page), []);
      await page.keyboard.press('Escape');

      await page.locator('nav a[href="#/settings"]').click();
      await page.locator('.settings').waitFor();
      await shot(page, `settings-${name}`);
      assert.deepEqual(await violations(page), []);

      await page.goto(new URL('#/new', page.url()).href);
      await page.locator('.empty').waitFor();
      await shot(page, `new-${name}`);
      assert.deepEqual(await violations(page), []);
      assert.deepEqual(page.faults, []);
      await page.context().close();
    });
  }

  for (const [width, height] of [
    [360, 740],
    [390, 844],
    [800, 900],
    [1100, 800],
    [1280, 800],
    [2560, 1440],
  ]) {
    test(`everything fits at ${width} px`, async () => {
      const page = await world.page({
        width,
        height,
        language: width === 390 ? 'zh-CN' : 'en-US',
        theme: width === 390 ? 'dark' : 'light',
      });
      await page.locator('article.answer').nth(2).waitFor();
      await page.waitForTimeout(200);
      const overflow = () =>
        page.evaluate(() => {
          const { scrollWidth, clientWidth, scrollHeight, clientHeight } = document.documentElement;
          return [scrollWidth - clientWidth, scrollHeight - clientHeight];
        });
      assert.deepEqual(await overflow(), [0, 0]);
      await shot(page, `width-${width}`);
      if (width < 1000) {
        await page.locator('header .sheet').click();
        await page.locator('aside.panel.open').waitFor();
        await shot(page, `sheet-${width}`);
        assert.deepEqual(await violations(page), []);
        await page.keyboard.press('Escape');
        await page.locator('aside.panel.open').waitFor({ state: 'detached' });
        assert.ok(await page.locator('header .sheet').evaluate((b) => b === document.activeElement));
      }
      if (width < 1200) {
        await page.locator(width < 700 ? 'header .narrow button' : '.rail-only button').click();
        await page.locator('.places.open').waitFor();
        await shot(page, `places-${width}`);
        assert.deepEqual(await violations(page), []);
        await page.keyboard.press('Escape');
      }
      await say(page, 'Hello');
      await page.locator('article.answer', { hasText: 'Hello' }).first().waitFor();
      assert.deepEqual(page.faults, []);
      await page.context().close();
    });
  }

  test('forced colours and 200 % zoom lose nothing', async () => {
    const page = await world.page({ width: 720, height: 450 });
    await page.emulateMedia({ forcedColors: 'active' });
    await page.locator('article.answer').first().waitFor();
    assert.deepEqual(await violations(page), []);
    assert.equal(
      await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
      0,
    );
    await page.context().close();
  });
});
