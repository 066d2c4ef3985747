// Several windows, deletions elsewhere, restarts and crashes.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { join } from 'node:path';
import { World, answered, out, say, undo, violations } from './world.mjs';

const shot = (page, name) => page.screenshot({ path: join(out, `${name}.png`) });

describe('windows and restarts', () => {
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
    await undo(page, '“Kitchen” was deleted.');
    await list().getByRole('link', { name: 'Kitchen' }).waitFor();
    await page.locator('article.user', { hasText: 'Packing list' }).waitFor();
  });

  test('the header of the chat has what the row in the list has', async () => {
    const menu = page.getByRole('main').getByRole('button', { name: 'Actions for this conversation' });
    await menu.click();
    await page.getByRole('menuitem', { name: 'Pin' }).click();
    await list().getByRole('heading', { name: 'Pinned' }).waitFor();
    await menu.click();
    await page.getByRole('menuitem', { name: 'Unpin' }).click();
    await list().getByRole('heading', { name: 'Pinned' }).waitFor({ state: 'detached' });
    await menu.click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await page.getByRole('dialog').getByRole('textbox').fill('Pantry');
    await page.keyboard.press('Enter');
    await list().getByRole('link', { name: 'Pantry' }).waitFor();
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
    await again.getByRole('link', { name: 'Pantry' }).waitFor();
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
    await before.getByText('Open the one that it printed last').first().waitFor();
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
