// Messages and answers: streaming, memory edits, branches, stopping, failures, drafts, large texts.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { join } from 'node:path';
import { answered, copied, out, say, violations, World } from './world.mjs';

const shot = (page, name) => page.screenshot({ path: join(out, `${name}.png`) });
const panel = (page) => page.locator('aside.panel');
const block = (page, label) =>
  panel(page).locator('details', {
    has: page.locator(`b:text-is("${label}")`),
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
    await copied(page, 'let a = 1;');
  });

  test('a wish is remembered: the change shows in place, in the panel, and can be taken back and redone', async () => {
    await fresh();
    await say(page, 'Remember that my bicycle is called Comet.');
    await answered(page, 1);
    const card = page.getByRole('group', { name: 'Memory changed' });
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

  test('a change that was changed since leads to the history, and offers no undo that would be refused', async () => {
    await fresh();
    await say(page, 'Remember that my cat is called Niangao.');
    await answered(page, 1);
    const card = page.getByRole('group', { name: 'Memory changed' }).first();
    await card.getByRole('button', { name: 'Undo' }).waitFor();
    await say(page, 'Forget that my cat is called Niangao.');
    await answered(page, 2);
    await card.getByText('changed since').waitFor();
    assert.equal(await card.getByRole('button').count(), 0);
    await card.getByRole('link', { name: 'History' }).click();
    await page.getByRole('region', { name: 'History of human' }).waitFor();
    await page.goBack();
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

  test('stop keeps what came, and Continue goes on in its place, with nothing said twice', async () => {
    await fresh();
    await say(page, '[[slow 40]] [[long 12]]');
    await page.locator('article.answer li').nth(1).waitFor();
    await page.locator('#composer').press('Escape');
    let answer = await answered(page, 1);
    await answer.getByText('Stopped by you').waitFor();
    const came = await answer.locator('li').count();
    assert.ok(came >= 1 && came < 12, `${came} lines came`);
    await answer.getByRole('button', { name: 'Continue' }).click();
    await page.locator('article.answer[aria-busy="false"]').locator('li').nth(11).waitFor();
    answer = await answered(page, 1);
    await answer.getByText('Stopped by you').waitFor({ state: 'detached' });
    const lines = (await answer.locator('li').allInnerTexts()).map((line) => line.trim());
    assert.deepEqual(lines, Array(12).fill('A line of the long answer with code in it.'));
    assert.equal(await page.locator('article').count(), 2);
    assert.equal(await answer.getByText('2 of 2').count(), 0);
    assert.equal(await answer.getByRole('button', { name: 'Continue' }).count(), 0);
  });

  test('an answer that was cut at its length goes on where it broke off, in the middle of a word', async () => {
    await fresh();
    await say(page, '[[length 26]] [[say The **first half** of a sentence, and all the rest of it.]]');
    let answer = await answered(page, 1);
    assert.match(await answer.locator('.body').innerText(), /The first half of a se\s/);
    await answer.getByRole('button', { name: 'Continue' }).click();
    await answer.getByText('The first half of a sentence, and all the rest of it.', { exact: true }).waitFor();
    answer = await answered(page, 1);
    assert.equal(await page.locator('article').count(), 2);
    assert.equal(await answer.getByRole('button', { name: 'Continue' }).count(), 0);
    await page.reload();
    await page.getByText('The first half of a sentence, and all the rest of it.', { exact: true }).waitFor();
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
    await answer.locator('.note.bad').getByRole('button', { name: 'Try again' }).waitFor();
    // One next step, not several that look alike.
    assert.equal(await answer.getByRole('button', { name: /again|Continue/ }).count(), 1);
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
    await page.getByText(/tokens, [\d,]+ more than fit into the window/).waitFor();
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
