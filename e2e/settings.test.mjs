// The settings: every one is kept at once, survives a kill, and can be set back, alone and with its section.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { World, answered, copied, long, out, say, undo, until, violations } from './world.mjs';

const shot = (page, name) => page.screenshot({ path: join(out, `${name}.png`) });

let world;
let page;
/** Opens a section of the settings. */
const open = async (section, heading) => {
  await page.goto(new URL(`#/settings/${section}`, world.link).href);
  await page.getByRole('heading', { name: heading, exact: true }).waitFor();
};
/** The settings once the server holds what `test` asks for. */
const settled = (test) => until(() => world.api('GET', '/settings'), test);
before(async () => {
  world = await World.open();
  await world.ready();
  page = await world.page();
  await page.locator('#composer').waitFor();
});
after(() => world.close());

describe('what is kept', () => {
  const choose = (label, value) => async () => page.getByRole('combobox', { name: label }).selectOption(value);
  const type = (label, value) => async () => {
    await page.getByRole('spinbutton', { name: label }).fill(value);
    await page.getByRole('spinbutton', { name: label }).press('Enter');
  };
  // What is changed, in which section, and what must be kept then.
  const changes = [
    ['look', 'Look and language', 'Theme', choose('Theme', 'dark'), { theme: 'dark' }],
    ['look', 'Look and language', 'Size of the text', choose('Size of the text', '125'), { text_size: 125 }],
    ['keys', 'Keys', 'Send with', choose('Send with', 'mod_enter'), { send_key: 'mod_enter' }],
    ['engine', 'Engine', 'Threads', type('Threads', '1'), { threads: 1 }],
    ['models', 'Models', 'Chat model', choose('Chat model', 'thinker:latest'), { model: 'thinker:latest' }],
    ['embedder', 'Search by meaning', 'Embedder', choose('Embedder', ''), { embedder: undefined }],
    ['embedder', 'Search by meaning', 'Memory for vectors', type('Memory for vectors', '64'), { vector_cache_mb: 64 }],
    ['recall', 'Recall', 'Seconds it may take', type('Seconds it may take', '5'), { deep_seconds: 5 }],
    ['window', 'Context window', 'Context window', type('Context window', '8192'), { window: 8192 }],
    ['backups', 'Backups', 'Daily backups kept', type('Daily backups kept', '3'), { daily_backups: 3 }],
  ];

  test('each change is there after a kill, and is set back alone', async () => {
    for (const [section, heading, name, change, kept] of changes) {
      const [key] = Object.keys(kept);
      await open(section, heading);
      const before = (await world.api('GET', '/settings'))[key];
      await change();
      await settled((s) => s[key] === kept[key]);
      const all = await world.api('GET', '/settings');
      await world.killServer();
      await world.serve(new URL(world.link).host);
      assert.deepEqual(await world.api('GET', '/settings'), all, `${name} after a kill`);
      await page.goto(world.link);
      await page.reload();
      await open(section, heading);
      if (kept[key] === undefined) {
        await world.api('PATCH', '/settings', { [key]: before });
        continue;
      }
      await page.getByRole('button', { name: `Reset: ${name}`, exact: true }).click();
      await settled((s) => s[key] === undefined);
      if (before !== undefined) {
        await undo(page, 'Back to the default.');
        await settled((s) => s[key] === kept[key]);
        await world.api('PATCH', '/settings', { [key]: before });
      }
    }
    assert.deepEqual(page.faults, []);
  });

  test('the language changes at once, and a section is set back as a whole, with undo', async () => {
    await open('look', 'Look and language');
    await page.getByRole('combobox', { name: 'Language' }).selectOption('zh');
    await page.getByRole('heading', { name: '外观和语言' }).waitFor();
    await page.getByRole('combobox', { name: '主题' }).selectOption('dark');
    await settled((s) => s.theme === 'dark' && s.language === 'zh');
    assert.deepEqual(await violations(page), []);
    await page.getByRole('button', { name: '本页恢复默认' }).click();
    await page.getByRole('heading', { name: 'Look and language' }).waitFor();
    await settled((s) => s.theme === undefined && s.language === undefined);
    await undo(page, 'Back to the default.');
    await settled((s) => s.theme === 'dark' && s.language === 'zh');
    await world.api('PATCH', '/settings', { theme: null, language: null });
  });

  test('with text of 200 % nothing is cut off, in any section', async () => {
    await world.api('PATCH', '/settings', { text_size: 200 });
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 900 });
      for (const section of ['look', 'engine', 'models', 'window', 'data', 'backups', 'privacy', 'checks', 'about']) {
        await page.goto(new URL(`#/settings/${section}`, world.link).href);
        await page.locator('.around h2').first().waitFor();
        const over = await page.evaluate(() =>
          [...document.querySelectorAll('.around, .around *')]
            .filter((e) => e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX !== 'visible')
            .map((e) => e.className || e.tagName),
        );
        assert.deepEqual(over, [], `${section} at ${width}`);
      }
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await world.api('PATCH', '/settings', { text_size: null });
  });
});

describe('engine and models', () => {
  test('the engine says how it is and is looked for anew; there is no log of one that is not ours', async () => {
    await open('engine', 'Engine');
    await page.getByText('Ollama 0.17.4').waitFor();
    await page.getByRole('button', { name: 'Look for the engine anew' }).click();
    await page.getByText('Ollama, already running here').first().waitFor();
    await page.getByRole('button', { name: 'Show the log' }).click();
    await page.getByText('There is no log').waitFor();
    assert.deepEqual(await violations(page), []);
  });

  test('a model is deleted unless one takes it back', async () => {
    await world.api('POST', '/models/pull', { name: 'qwen3:0.6b' });
    await open('models', 'Models');
    const row = page.getByRole('listitem').filter({ hasText: 'qwen3:0.6b' });
    await row.getByRole('button', { name: 'Delete qwen3:0.6b' }).waitFor();
    const pulled = (await world.api('GET', '/models')).models.find((m) => m.name === 'qwen3:0.6b');
    await row.getByText(`ID ${pulled.digest.slice(0, 12)}`).waitFor(); // which build of it this is
    await row.getByRole('button', { name: 'Delete qwen3:0.6b' }).click();
    await row.getByText('About to be deleted').waitFor();
    await undo(page, 'qwen3:0.6b is about to be deleted.');
    await row.getByRole('button', { name: 'Delete qwen3:0.6b', exact: true }).click();
    // The notice goes, the way back stays where the model is.
    const cancel = row.getByRole('button', { name: 'Cancel: Delete qwen3:0.6b' });
    assert.ok(await cancel.evaluate((b) => b === document.activeElement));
    assert.deepEqual(await violations(page), []);
    await cancel.press('Enter');
    const trash = row.getByRole('button', { name: 'Delete qwen3:0.6b', exact: true });
    assert.ok(await trash.evaluate((b) => b === document.activeElement));
    await trash.click();
    await page.getByText(/qwen3:0.6b was deleted; .* are free again\./).waitFor();
    const { models } = await world.api('GET', '/models');
    assert.ok(!models.some((m) => m.name === 'qwen3:0.6b'));
    assert.deepEqual(await violations(page), []);
    await shot(page, 'settings-models');
  });

  test('the cost of a window follows what is typed, and what fits is one click away', async () => {
    await open('window', 'Context window');
    const field = page.getByRole('spinbutton', { name: 'Context window' });
    const costs = page.getByText(/The window takes ≈/);
    const changed = async (n) => {
      const before = await costs.innerText();
      await field.fill(n);
      await page.waitForFunction((text) => !document.body.innerText.includes(text), before);
    };
    await changed('2048');
    await changed('16384');
    await page.getByText(/With the model ≈ .*: fits/).waitFor();
    assert.equal((await world.api('GET', '/settings')).window, undefined);
    await page.getByRole('button', { name: 'Use it' }).click();
    const { window } = await settled((s) => s.window !== undefined);
    assert.equal(window % 1024, 0);
    await world.api('PATCH', '/settings', { window: null });
  });

  test('another embedder embeds anew, and one sees how far it is', async () => {
    await world.api('PATCH', '/settings', { embedder: null });
    await page.goto(new URL('#/new', world.link).href);
    await page.locator('#composer').waitFor();
    await say(page, 'The violin teacher is called Aurelia.');
    await answered(page, 1);
    await open('embedder', 'Search by meaning');
    await page.getByRole('combobox', { name: 'Embedder' }).selectOption({ label: 'multilingual-e5-small' });
    await page.getByText('All memories can be found by meaning.').waitFor();
    assert.deepEqual(await violations(page), []);
  });
});

describe('data', () => {
  test('backups are made, verified and told apart; the way back is a command to copy', async () => {
    await open('backups', 'Backups');
    await page.getByText('There is no backup yet.').waitFor();
    await page.getByRole('button', { name: 'Back up now' }).click();
    await page.getByText(/The backup is made and verified/).waitFor();
    const [name] = readdirSync(join(world.home, 'backups'));
    await page.getByText('by hand').waitFor();
    await page.getByRole('button', { name: `Verify: ${name}` }).click();
    await page.getByText(`${name} is whole.`).waitFor();
    await page.getByRole('button', { name: `Put ${name} back` }).click();
    await copied(page, `recollect restore "${join(world.home, 'backups', name)}"`);
    assert.deepEqual(await violations(page), []);
    await shot(page, 'settings-backups');
    truncateSync(join(world.home, 'backups', name), 5000);
    await page.getByRole('button', { name: `Verify: ${name}` }).click();
    await page.getByText(/The data is damaged/).waitFor();
  });

  test('the data folder says where it is and moves, with everything in it', async () => {
    const to = join(mkdtempSync(join(tmpdir(), 'recollect-moved-')), 'new');
    await open('data', 'Data folder');
    await page.getByText(world.home, { exact: true }).waitFor();
    await page.getByText(/\d+ (KB|MB); .* are free on that disk/).waitFor();
    await page.getByRole('button', { name: 'Move it' }).click();
    await page.getByRole('textbox', { name: 'Whole path of an empty or new folder' }).fill('relative');
    await page.getByRole('button', { name: 'Move it' }).last().click();
    await page.getByText(/Path must be the whole path/).waitFor();
    assert.deepEqual(await violations(page), []);
    await page.getByRole('textbox', { name: 'Whole path of an empty or new folder' }).fill(to);
    await page.getByRole('button', { name: 'Move it' }).last().click();
    await page.getByText(to, { exact: true }).waitFor();
    assert.ok(existsSync(join(to, 'recollect.db')));
    const { conversations } = await world.api('GET', '/conversations');
    assert.equal(conversations.length, 1);
  });

  test('privacy names every file and every connection', async () => {
    await open('privacy', 'Privacy');
    const text = await page.locator('.around').innerText();
    for (const word of ['recollect.db', 'backups', 'models', 'engine.log', world.engine.found]) {
      assert.ok(text.includes(word), word);
    }
    assert.deepEqual(await violations(page), []);
  });

  test('everything is erased only after its name was typed; then the app begins anew', async () => {
    await open('privacy', 'Privacy');
    const button = page.getByRole('button', { name: 'Erase everything now' });
    const field = page.getByRole('textbox', { name: 'Type Recollect to erase everything' });
    await field.fill('recollect');
    assert.ok(await button.isDisabled());
    await field.fill('Recollect');
    await button.click();
    await page.getByText('Everything is being erased').waitFor();
    const left = () => world.api('GET', '/conversations').catch(() => undefined); // not while it starts anew
    await until(left, (all) => all?.conversations.length === 0);
    const kept = () => world.api('GET', '/backups').catch(() => undefined);
    await until(kept, (all) => all?.backups.length === 0);
    await page.goto(new URL('#/new', world.link).href);
    await page.reload();
    await page.getByRole('button', { name: 'Begin' }).waitFor();
    await world.ready();
  });
});

describe('checks and about', () => {
  test('the doctor names a remedy for what is not in order, and where to mend it', async () => {
    await world.api('PATCH', '/settings', { model: 'thinker:latest' });
    await world.api('DELETE', '/models/thinker:latest');
    await page.goto(world.link);
    await page.reload();
    await open('checks', 'Checks');
    await page.getByText('Pull or choose a model: see Models.').waitFor();
    assert.deepEqual(await violations(page), []);
    await page.locator('.around').getByRole('link', { name: 'Models' }).click();
    await page.getByRole('heading', { name: 'Models', exact: true }).waitFor();
    await world.ready();
    await page.getByRole('group', { name: 'State', exact: true }).getByText('helper').waitFor();
  });

  test('the model in use is tried task by task', async () => {
    await open('checks', 'Checks');
    await page.getByRole('button', { name: 'Try it now' }).click();
    await page.getByRole('button', { name: /^Trying: .+ \(\d of \d\)$/ }).waitFor();
    await page.getByRole('rowheader', { name: 'Answers in words' }).waitFor(long);
    assert.match(await page.getByRole('table').innerText(), /works|does not work|a rule of Recollect/);
    assert.deepEqual(await violations(page), []);
  });

  test('a block that follows the language of the app says so, and Undo brings its words back', async () => {
    const persona = async () => {
      const [{ id }] = (await world.api('GET', '/agents')).agents;
      return (await world.api('GET', `/agents/${id}/core`)).blocks.find((b) => b.label === 'persona').value;
    };
    const before = await persona();
    await world.api('PATCH', '/settings', { language: 'zh' });
    await page.getByText('的记忆块 persona 已改用界面的语言。').waitFor();
    assert.notEqual(await persona(), before);
    await Promise.all([
      page.waitForResponse((r) => r.url().endsWith('/undo')),
      page.getByRole('button', { name: '撤销' }).last().click(),
    ]);
    assert.equal(await persona(), before);
    await world.api('PATCH', '/settings', { language: null });
    await page.getByRole('heading', { name: 'Checks' }).waitFor();
  });

  test('the licences of others are there with their text', async () => {
    await open('about', 'About');
    await page.getByText('modernc.org/sqlite', { exact: true }).click();
    await page.locator('details[open] pre', { hasText: /public domain/i }).waitFor();
    await page.getByText('svelte', { exact: true }).waitFor();
    assert.deepEqual(await violations(page), []);
    assert.deepEqual(page.faults, []);
  });
});
