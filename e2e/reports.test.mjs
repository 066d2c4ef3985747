// Failures that users of similar programs have reported, each tried in the page.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { answered, copied, say, shot, violations, World } from './world.mjs';

describe('reported of the chat', () => {
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
  const log = () => page.getByRole('log');
  const lines = (n) => Array.from({ length: n }, (_, i) => `${i + 1}. line`).join('\n');
  const top = () => log().evaluate((e) => e.scrollTop);
  /** Where it is scrolled to once it has come to rest. */
  const rested = () =>
    log().evaluate(
      (e) =>
        new Promise((done) => {
          let still = 0;
          let last = -1;
          const look = () => {
            still = e.scrollTop === last ? still + 1 : 0;
            last = e.scrollTop;
            if (still === 10) done(last);
            else requestAnimationFrame(look);
          };
          look();
        }),
    );

  test('who reads back while an answer streams stays where they are, and one click leads to the latest', async () => {
    await say(page, `[[slow 1]] [[say ${lines(60)}]]`);
    await answered(page, 1);
    await say(page, `[[slow 15]] [[say ${lines(120)}]]`);
    await page.locator('article.answer[aria-busy="true"] li').nth(3).waitFor();
    await log().focus();
    await page.keyboard.press('PageUp');
    await page.keyboard.press('PageUp');
    const before = await rested();
    await page.locator('article.answer').last().locator('li').nth(30).waitFor({ state: 'attached' });
    assert.equal(await top(), before);
    await page.getByRole('button', { name: 'Jump to the latest message' }).click();
    await page.waitForFunction(() => {
      const e = document.querySelector('[role=log]');
      return e.scrollHeight - e.scrollTop - e.clientHeight < 2;
    });
    // From there on it follows again.
    await answered(page, 2);
    await page.waitForFunction(() => {
      const e = document.querySelector('[role=log]');
      return e.scrollHeight - e.scrollTop - e.clientHeight < 2;
    });
  });

  test('an answer is copied as the Markdown that it was written in', async () => {
    await fresh();
    const written =
      '# Title\n\n- one\n- **two**\n\n```js\nlet a = 1;\n\n\nlet b = 2;\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |';
    await say(page, `[[say ${written}]]`);
    const answer = await answered(page, 1);
    assert.equal(await answer.locator('table td').count(), 2);
    await answer.hover();
    await answer.getByRole('button', { name: 'Copy as Markdown' }).click();
    await page.waitForFunction(() => /Copied/.test(document.querySelector('[data-testid=announcer]').textContent));
    await copied(page, written);
    const user = page.locator('article.user').first();
    await user.hover();
    await user.getByRole('button', { name: 'Copy as Markdown' }).click();
    await page.waitForFunction(
      (text) => navigator.clipboard.readText().then((now) => now.includes(text)),
      '[[say # Title',
    );
  });

  test('a model that must read all anew to answer again says so beforehand', async () => {
    const slower = async (route) => {
      const answer = await route.fetch();
      const body = await answer.json();
      for (const model of body.models) model.append_only = true;
      await route.fulfill({ response: answer, json: body });
    };
    await page.route('**/api/models', slower);
    await page.reload();
    const answer = await answered(page, 1);
    await answer.hover();
    await answer.getByTitle('Answer again. This model has to read the whole conversation anew for it.').waitFor();
    await page.unrouteAll({ behavior: 'wait' });
  });

  test('data with more in it than this version knows is shown', async () => {
    const richer = async (route) => {
      const answer = await route.fetch();
      const body = await answer.json();
      const list = (name) => (Array.isArray(body[name]) ? body[name] : []);
      for (const agent of list('agents')) {
        Object.assign(agent, {
          identities: [{ id: 7 }],
          of_tomorrow: { a: [1, null] },
          tools_off: ['a_tool_of_tomorrow'],
        });
      }
      for (const block of list('blocks')) Object.assign(block, { of_tomorrow: 'pink' });
      for (const message of list('messages')) Object.assign(message, { of_tomorrow: 1, end: 'of_tomorrow' });
      await route.fulfill({ response: answer, json: body });
    };
    await page.route(/\/api\/(agents|snapshot|conversations)/, richer);
    await page.reload();
    await answered(page, 1);
    const agent = (await world.api('GET', '/agents')).agents[0];
    await page.evaluate((id) => (location.hash = `#/agents/${id}`), agent.id);
    await page.getByRole('heading', { name: agent.name }).first().waitFor();
    await page.evaluate(() => (location.hash = '#/memory/blocks'));
    await page
      .getByRole('link', { name: /persona/ })
      .first()
      .waitFor();
    await page.unrouteAll({ behavior: 'wait' });
  });

  test('a damaged database is told wherever one is, with the way back', async () => {
    const damaged = async (route) => {
      const answer = await route.fetch();
      const body = await answer.json();
      body.damage = { code: 'ECORRUPT', message: 'page 7 is damaged', remedy: 'restore' };
      await route.fulfill({ response: answer, json: body });
    };
    await page.route('**/api/snapshot*', damaged);
    for (const place of ['#/new', '#/memory/archive', '#/activity']) {
      await page.goto(new URL(place, world.link).href);
      await page.reload();
      const note = page.locator('main').getByRole('note').filter({ hasText: 'The data is damaged.' });
      await note
        .getByText(/recollect restore|backup/i)
        .first()
        .waitFor();
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      assert.deepEqual(await violations(page), []);
    }
    await shot(page, 'damaged');
    await page.unrouteAll({ behavior: 'wait' });
  });

  test('an OLLAMA_HOST where nothing answers is told where the engine in use is', async () => {
    const elsewhere = async (route) => {
      const answer = await route.fetch();
      const body = await answer.json();
      body.engine.unanswered = '192.0.2.7:11434';
      body.settings.model = 'gone:1b';
      await route.fulfill({ response: answer, json: body });
    };
    await page.route('**/api/snapshot*', elsewhere);
    await page.goto(new URL('#/new', world.link).href);
    await page.reload();
    const told = 'Nothing answers at 192.0.2.7:11434, which OLLAMA_HOST names.';
    await page.getByRole('status').filter({ hasText: told }).getByRole('link', { name: 'Choose a model' }).waitFor();
    await page.getByText('Ollama, in place of the one that OLLAMA_HOST names').waitFor();
    await page.goto(new URL('#/settings/engine', world.link).href);
    await page.locator('main').getByText(told).waitFor();
    assert.deepEqual(await violations(page), []);
    await shot(page, 'unanswered');
    await page.unrouteAll({ behavior: 'wait' });
  });

  // The last: what the engine was seen to read bounds all later prompts.
  test('an engine that reads less than was sent: the answer says so, and still does later', async () => {
    await page.goto(new URL('#/new', world.link).href);
    await page.reload();
    await page.locator('#composer').waitFor();
    await say(page, `${'What do you know of the garden? '.repeat(60)}[[prompt 120]] [[say Which garden?]]`);
    const answer = await answered(page, 1);
    const banner = answer.getByText('The engine read less than was sent');
    await banner.waitFor();
    await shot(page, 'truncated');
    await page.reload();
    await banner.waitFor();
  });

  test('nothing went wrong in the page meanwhile', () => assert.deepEqual(page.faults, []));
});

test('while a model is loaded one sees that, and for how long', async () => {
  const world = await World.open({ engine: ['--load-delay', '4s'] });
  try {
    await world.ready();
    const page = await world.page();
    await page.locator('#composer').waitFor();
    await say(page, 'Hello');
    const line = page.locator('.progress', { hasText: /Loading/ });
    await line.getByText(/[23] s/).waitFor();
    await shot(page, 'loading');
    await answered(page, 1);
    await line.waitFor({ state: 'detached' });
    assert.deepEqual(page.faults, []);
  } finally {
    await world.close();
  }
});

const frozen = fileURLToPath(new URL('../backend/store/testdata/', import.meta.url));
for (const file of readdirSync(frozen).filter((name) => name.endsWith('.db'))) {
  test(`with the data of ${file} the settings open and are saved`, async () => {
    const world = await World.open({ database: join(frozen, file) });
    try {
      await world.api('PATCH', '/settings', { language: 'en', ui: { begun: true } });
      const page = await world.page({ path: '/#/settings/look' });
      await page.getByRole('combobox', { name: 'Theme' }).selectOption('dark');
      await page.waitForFunction(() => document.documentElement.dataset.theme === 'dark');
      assert.equal((await world.api('GET', '/settings')).theme, 'dark');
      for (const [section, heading] of [
        ['models', 'Models'],
        ['window', 'Context window'],
        ['backups', 'Backups'],
      ]) {
        await page.goto(new URL(`#/settings/${section}`, world.link).href);
        await page.getByRole('heading', { name: heading, exact: true }).waitFor();
      }
      // What was said then is there.
      const { conversations } = await world.api('GET', '/conversations');
      await page.goto(new URL(`#/c/${conversations[0].id}`, world.link).href);
      await page.locator('article').first().waitFor();
      assert.deepEqual(page.faults, []);
    } finally {
      await world.close();
    }
  });
}
