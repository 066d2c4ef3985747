// Input methods: Japanese from letters to kana to kanji, Korean syllable by syllable, Chinese from pinyin. The Enter that
// ends a composition belongs to it, in whichever order the engine reports the two; the next one sends.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { answered, compose, World } from './world.mjs';

/** What the hands do: the states of each composition, and what it leaves. */
const methods = {
  Japanese: [
    [['n', 'ね', 'ねk', 'ねこ', '猫'], '猫'],
    [['n', 'の', 'のn', 'のな', 'のなま', 'のなまえ', 'の名前'], 'の名前'],
  ],
  Korean: [
    [['ㅎ', '하', '한'], '한'],
    [['ㄱ', '그', '글'], '글'],
  ],
  Chinese: [[['n', 'ni', 'nian', "nian'gao"], '年糕']],
};
/** Enter is told before the composition ends, or after it, as WebKit does. */
const orders = [false, true];

describe('an input method', () => {
  let world, page, agent, block;
  before(async () => {
    world = await World.open();
    agent = await world.ready();
    const core = await world.api('GET', `/agents/${agent.id}/core`);
    block = core.blocks.find((b) => b.label === 'human');
    page = await world.page({ path: '#/new' });
    await page.locator('#composer').waitFor();
  });
  after(() => world.close());

  const composer = () => page.locator('#composer');
  const said = async () => (await page.locator('article.user .ground').allInnerTexts()).map((text) => text.trim());
  /** Composes one after the other, and gives the whole. */
  async function write(steps, options) {
    let whole = '';
    for (const [states, text] of steps) {
      await compose(page, states, text, options);
      whole += text;
    }
    return whole;
  }

  for (const [language, steps] of Object.entries(methods)) {
    test(`${language}: in the composer Enter chooses, and then sends, once and all of it`, async () => {
      for (const late of orders) {
        await page.getByRole('button', { name: 'New conversation' }).click();
        await page.getByRole('heading', { name: /^Write to/ }).waitFor();
        await composer().focus();
        const whole = await write(steps, { late });
        assert.equal(await composer().inputValue(), whole);
        assert.equal(await page.locator('article').count(), 0);
        await composer().press('Enter');
        await answered(page, 1);
        assert.deepEqual(await said(), [whole]);
        assert.equal(await composer().inputValue(), '');
      }
    });

    test(`${language}: where Ctrl Enter sends, one that is the input method's does not`, async () => {
      await world.api('PATCH', '/settings', { send_key: 'mod_enter' });
      await page.getByText('Ctrl Enter sends').waitFor();
      const before = await page.locator('article.user').count();
      await composer().focus();
      for (const late of orders) {
        await composer().fill('');
        assert.equal(await write(steps, { control: true, late }), await composer().inputValue());
      }
      await composer().press('Enter');
      assert.match(await composer().inputValue(), /\n$/);
      assert.equal(await page.locator('article.user').count(), before);
      await composer().press('Control+Enter');
      await answered(page, before + 1);
      await world.api('PATCH', '/settings', { send_key: null });
      await page.getByText('Enter sends, Shift Enter makes a new line').waitFor();
    });

    test(`${language}: in the editor of a block nothing is saved by it, and Escape gives up the composition alone`, async () => {
      const saved = [];
      page.on('request', (r) => r.method() === 'PATCH' && saved.push(r.url()));
      await page.evaluate((to) => (location.hash = to), `#/memory/blocks?block=${block.id}`);
      await page.locator('main article').getByRole('button', { name: 'Edit', exact: true }).click();
      const field = page.getByRole('textbox', { name: 'Edit human' });
      let whole = '';
      for (const late of orders) {
        for (const control of [false, true]) {
          await field.fill('');
          whole = await write(steps, { control, late });
          assert.equal(await field.inputValue(), whole);
        }
      }
      // Escape gives up what is being composed; the editor and what was written before stay.
      const cdp = await page.context().newCDPSession(page);
      await cdp.send('Input.imeSetComposition', { text: 'x', selectionStart: 1, selectionEnd: 1 });
      await cdp.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', windowsVirtualKeyCode: 229, key: 'Escape' });
      await cdp.send('Input.imeSetComposition', { text: '', selectionStart: 0, selectionEnd: 0 });
      await cdp.detach();
      assert.equal(await field.inputValue(), whole);
      assert.deepEqual(saved, []);
      await field.press('Control+Enter');
      await field.waitFor({ state: 'detached' });
      const { blocks } = await world.api('GET', `/agents/${agent.id}/core`);
      assert.equal(blocks.find((b) => b.id === block.id).value, whole);
      await page.goto(new URL('#/new', world.link).href);
      await composer().waitFor();
    });

    test(`${language}: a search finds what was chosen, and Enter opens nothing`, async () => {
      const whole = steps.map(([, text]) => text).join('');
      await world.api('POST', '/passages', { agent_id: agent.id, text: `${whole} 1` });
      for (const late of orders) {
        await page.evaluate(() => (location.hash = '#/memory/archive'));
        const search = page.getByRole('searchbox', { name: 'Search the archive' });
        await search.fill('');
        await search.focus();
        await write(steps, { late });
        await page.locator('main .passage', { hasText: whole }).first().waitFor();
        assert.equal(decodeURI(new URL(page.url()).hash), `#/memory/archive?q=${whole}`);
      }
      await page.getByRole('button', { name: 'Search conversations' }).click();
      const list = page.getByRole('searchbox', { name: 'Search conversations' });
      const { hash } = new URL(page.url());
      for (const late of orders) {
        await list.fill('');
        await list.focus();
        await write(steps, { late });
        await page.getByRole('navigation', { name: 'Places' }).locator('mark', { hasText: whole }).first().waitFor();
        assert.equal(new URL(page.url()).hash, hash);
      }
      await page.keyboard.press('Escape');
      await page.evaluate(() => (location.hash = '#/new'));
      await composer().waitFor();
    });
  }

  // On a Mac the Enter that ends a syllable comes twice: as the input method's, and then as one of its own.
  test('Korean: where Enter comes again after the composition, the message goes once, with its last syllable', async () => {
    await page.getByRole('heading', { name: /^Write to/ }).waitFor();
    await composer().focus();
    await write(methods.Korean);
    await page.keyboard.press('Enter');
    await answered(page, 1);
    await page.keyboard.press('Enter');
    assert.deepEqual(await said(), ['한글']);
    assert.equal(await composer().inputValue(), '');
  });

  test('nothing went wrong in the page meanwhile', () => assert.deepEqual(page.faults, []));
});
