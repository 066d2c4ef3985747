// The first run and the sample life: what a person sees in the first ten minutes.
import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { answered, out, say, violations, World } from './world.mjs';

const shot = (page, name) => page.screenshot({ path: join(out, `${name}.png`) });
const step = (page, title) => page.locator('main section', { has: page.getByRole('heading', { name: title }) });
const begin = (page) => page.getByRole('button', { name: 'Begin' });

/** The text of a block of the first agent. */
async function blockOf(world, label) {
  const { agents } = await world.api('GET', '/agents');
  const { blocks } = await world.api('GET', `/agents/${agents[0].id}/core`);
  return blocks.find((b) => b.label === label);
}

/** Has the page find that the starter models could not be installed. */
async function starterFailed(page) {
  const job = {
    ...{ id: 'job-1', kind: 'starter', model: '', state: 'failed', status: '', created_at: new Date().toISOString() },
    ...{ completed: 0, total: 0, bytes_per_s: 0, eta_s: 0 },
    problem: { code: 'EDISKFULL', message: 'the disk is full' },
  };
  await page.route(/\/api\/snapshot/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), jobs: [job] } });
  });
  await page.reload();
}

/** The smallest file that is a model: one setting and one tensor. */
function gguf() {
  const u32 = (n) => Buffer.from(Uint32Array.of(n).buffer);
  const u64 = (n) => Buffer.from(BigUint64Array.of(BigInt(n)).buffer);
  const text = (s) => Buffer.concat([u64(s.length), Buffer.from(s)]);
  const setting = [text('general.architecture'), u32(8), text('llama')];
  const tensor = [text('t'), u32(1), u64(32), u32(0), u64(0)];
  const path = join(mkdtempSync(join(tmpdir(), 'recollect-gguf-')), 'My Model.gguf');
  writeFileSync(
    path,
    Buffer.concat([Buffer.from('GGUF'), u32(3), u64(1), u64(1), ...setting, ...tensor, Buffer.alloc(1024)]),
  );
  return path;
}

describe('the way in', () => {
  let world;
  before(async () => {
    world = await World.open();
    await world.ready();
  });
  after(() => world.close());

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
    const said = page.getByText('Open the one that it printed last');
    await said.waitFor();
    assert.doesNotMatch(await page.locator('main').innerText(), /token/); // once is enough
    assert.equal(await page.getByRole('button').count(), 0); // to ask again would be refused again
    const other = await context.newPage();
    await other.goto(world.link);
    await other.locator('#composer').waitFor();
    await said.waitFor({ state: 'detached' });
    await context.close();
  });
});

describe('with an engine and models', () => {
  let world;
  before(async () => (world = await World.open({ engine: ['--pull-delay', '200ms'] })));
  after(() => world.close());

  test('what is done is a line, from which it opens again; models are offered by what fits', async () => {
    const page = await world.page();
    await step(page, 'Engine').getByText('Ollama 0.17.4, already running here').waitFor();
    await step(page, 'Search by meaning').getByText('multilingual-e5-small, ready').waitFor();
    const models = step(page, 'A model to talk to');
    assert.equal(await models.getByRole('list').count(), 0);
    await models.getByRole('button', { name: 'Change' }).click();
    await models.getByText('knows hardly any Chinese').waitFor();
    await models.getByRole('button', { name: 'Pull qwen3:4b' }).waitFor();
    assert.match(await models.innerText(), /needs ≈ 4.1 GB\s· (fits|fits, slow|too large)/);
    assert.match(await page.locator('.go').innerText(), /helper will answer\./);
    assert.deepEqual(await violations(page), []);
    await shot(page, 'first-run-models');
    assert.deepEqual(page.faults, []);
    await page.context().close();
  });

  test('in Chinese it speaks Chinese, and offers models that write it', async () => {
    const page = await world.page({ language: 'zh-CN', theme: 'dark' });
    const models = step(page, '对话用的模型');
    await models.getByRole('button', { name: '更换' }).click();
    await models.getByText('几乎不懂中文').waitFor();
    await models.getByRole('button', { name: '拉取 qwen3:4b' }).waitFor();
    assert.equal(await models.getByRole('button', { name: '拉取 llama3.2:3b' }).count(), 0);
    await models.getByRole('button', { name: '全部显示' }).click();
    await models.getByRole('button', { name: '拉取 llama3.2:3b' }).waitFor();
    await page.getByRole('button', { name: '老师' }).click();
    await page.getByText('一位有耐心的老师').waitFor();
    assert.deepEqual(await violations(page), []);
    assert.deepEqual(page.faults, []);
    await page.evaluate(() => localStorage.clear());
    await page.context().close();
  });

  test('that the blocks follow the language is not told to who has not seen them', async () => {
    const [{ id }] = (await world.api('GET', '/agents')).agents;
    const persona = async () => {
      const { blocks } = await world.api('GET', `/agents/${id}/core`);
      return blocks.find((b) => b.label === 'persona').value;
    };
    const page = await world.page();
    const asked = [];
    page.on('request', (r) => r.url().includes('/api/revisions/') && asked.push(r.url()));
    for (const [name, script] of [
      ['中文', /\p{sc=Han}/u],
      ['English', /^[^\p{sc=Han}]+$/u],
    ]) {
      await page.getByRole('button', { name, exact: true }).click();
      while (!script.test(await persona())) await page.waitForResponse(() => true, { timeout: 100 }).catch(() => null);
    }
    // What happens after it has reached the page too.
    await world.api('PATCH', '/settings', { theme: 'dark' });
    await page.locator('html[data-theme=dark]').waitFor();
    assert.deepEqual(asked, []);
    assert.equal(await page.locator('.toast').count(), 0);
    await world.api('PATCH', '/settings', { theme: null, language: null });
    await page.context().close();
  });

  test('a download goes on while one fills in the rest; it can be stopped, goes on, and takes over', async () => {
    const page = await world.page();
    await page.setViewportSize({ width: 1280, height: 830 });
    await page.getByRole('button', { name: 'Change' }).click();
    await page.getByRole('button', { name: 'Pull qwen3:0.6b' }).click();
    await page.getByText('helper answers for now; qwen3:0.6b takes over when it is there.').waitFor();
    await page.getByText(/\d+ KB of 1 MB\s· \d+ %/).waitFor();
    await page.getByText(/KB\/s, about \d+ (s|ms) left/).waitFor();
    await page.getByRole('textbox', { name: 'What should it call you?' }).fill('Mina');
    await page.getByRole('button', { name: 'Cancel' }).click();
    const stopped = page.getByRole('alert').filter({ hasText: 'qwen3:0.6b was stopped' });
    await stopped.getByText('What has arrived is kept.').waitFor();
    await stopped.getByRole('button', { name: 'Go on' }).click();
    await page.getByText('qwen3:0.6b will answer.').waitFor();
    // The notice that it is there stands beside what one goes on with.
    await page.getByText('qwen3:0.6b is ready').waitFor();
    const notice = await page.getByRole('group').filter({ hasText: 'qwen3:0.6b is ready' }).boundingBox();
    const button = await begin(page).boundingBox();
    const apart =
      notice.x + notice.width <= button.x ||
      button.x + button.width <= notice.x ||
      notice.y + notice.height <= button.y ||
      button.y + button.height <= notice.y;
    assert.ok(apart, 'a notice covers the button to begin');
    assert.equal((await world.api('GET', '/settings')).model, 'qwen3:0.6b');
    assert.equal(await page.getByRole('textbox', { name: 'What should it call you?' }).inputValue(), 'Mina');
    await page.context().close();
  });

  test('what went wrong says why, what is kept, and the ways on', async () => {
    const page = await world.page();
    await page.getByRole('button', { name: 'Change' }).click();
    await page.getByRole('button', { name: 'Pull by name' }).click();
    await page.getByRole('textbox', { name: /A name in the Ollama library/ }).fill('huge:70b');
    await page.getByRole('button', { name: 'Pull', exact: true }).last().click();
    const failed = page.getByRole('alert').filter({ hasText: 'huge:70b stopped at 42 %.' });
    await failed.getByText('The disk is full.').waitFor();
    await failed.getByText('What has arrived is kept.').waitFor();
    await failed.getByRole('button', { name: 'Try again' }).waitFor();
    await failed.getByRole('link', { name: 'Move to another folder' }).waitFor();
    assert.deepEqual(await violations(page), []);
    await shot(page, 'first-run-error');
    await failed.getByRole('button', { name: 'Dismiss' }).click();
    await failed.waitFor({ state: 'detached' });
    await page.context().close();
  });

  test('what of the starter models lacks is told where it belongs', async () => {
    const page = await world.page();
    const { models } = await world.api('GET', '/models');
    await page.route(/\/api\/models$/, async (route) => {
      const response = await route.fetch();
      const known = await response.json();
      await route.fulfill({ response, json: { ...known, models: known.models.filter((m) => m.chat) } });
    });
    assert.ok(models.some((m) => !m.chat));
    await starterFailed(page);
    await step(page, 'Search by meaning').getByRole('alert').getByRole('button', { name: 'Try again' }).waitFor();
    assert.equal(await page.getByRole('alert').count(), 1);
    assert.deepEqual(await violations(page), []);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.context().close();
  });

  test('a GGUF file is imported by its path, or sent from the browser', async () => {
    const path = gguf();
    const page = await world.page();
    await page.getByRole('button', { name: 'Change' }).click();
    await page.getByRole('button', { name: 'Import a GGUF file' }).click();
    await page.getByRole('textbox', { name: 'Whole path of the file' }).fill(path);
    await page.getByRole('textbox', { name: 'Name it shall have' }).fill('by-path');
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByRole('button', { name: 'Chosen: by-path' }).waitFor();

    await page.getByRole('button', { name: 'Import a GGUF file' }).click();
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'or send a file from here' }).click();
    await (await chooser).setFiles(path);
    await page.getByRole('button', { name: 'Chosen: my-model' }).waitFor();
    assert.deepEqual(page.faults, []);
    await page.context().close();
  });

  test('another Ollama is used once it is named', async () => {
    const other = await world.anotherEngine('--empty');
    const page = await world.page();
    await page.getByRole('button', { name: 'Use another Ollama' }).click();
    await page.getByRole('textbox', { name: 'Address' }).fill(other);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('You can begin without a model: what you write is kept.').waitFor();
    await world.api('PATCH', '/settings', { engine_host: null });
    await page.getByText(/will answer\./).waitFor();
    await page.context().close();
  });

  test('name, language and persona fill the blocks, survive a crash, and are changes of the user', async () => {
    const page = await world.page();
    await page.getByRole('textbox', { name: 'What should it call you?' }).fill('Mina');
    await page.getByRole('combobox', { name: 'Language of the answers' }).selectOption('zh');
    await page.getByRole('button', { name: 'Tutor' }).click();
    await page.getByText('Called Mina. Wants answers in Chinese.').waitFor();
    await page.getByRole('button', { name: 'Edit' }).click();
    const persona = page.getByRole('textbox', { name: 'persona' });
    await persona.fill((await persona.inputValue()) + ' I like tea.');
    await world.killServer();
    await world.serve(new URL(world.link).host);
    await page.goto(world.link);
    await page.reload();
    await page.getByText(/I am Recollect, a patient tutor.*I like tea\./).waitFor();
    assert.equal(await page.getByRole('textbox', { name: 'What should it call you?' }).inputValue(), 'Mina');

    await begin(page).click();
    await page.locator('#composer').waitFor();
    const human = await blockOf(world, 'human');
    assert.equal(human.value, 'Called Mina.\nWants answers in Chinese.');
    assert.match((await blockOf(world, 'persona')).value, /patient tutor.*I like tea\.$/);
    const { revisions } = await world.api('GET', `/revisions?subject=block&subject_id=${human.id}`);
    assert.equal(revisions[0].cause.actor, 'user');
    await world.api('POST', `/revisions/${revisions[0].id}/undo`);
    assert.equal((await blockOf(world, 'human')).value, '');

    await say(page, 'Hello there');
    await answered(page, 1);
    await page.reload();
    await page.locator('#composer').waitFor();
    assert.deepEqual(page.faults, []);
    await page.context().close();
  });
});

describe('with nothing there', () => {
  test('without a model one can begin, and what is written is kept', async () => {
    const world = await World.open({ engine: ['--empty'] });
    try {
      const page = await world.page();
      await page.getByText('You can begin without a model: what you write is kept.').waitFor();
      await page.getByText('suggested for this machine').waitFor();
      assert.deepEqual(await violations(page), []);
      // What went wrong with the models that come with the app is told here and, where it still matters, on the next page.
      await starterFailed(page);
      const failed = page.getByRole('alert').filter({ has: page.getByRole('button', { name: 'Try again' }) });
      await step(page, 'A model to talk to').getByRole('alert').waitFor();
      assert.equal(await failed.count(), 1);
      await begin(page).click();
      await page.getByText('There is no model to answer yet.').waitFor();
      await failed.getByText('The disk is full.').waitFor();
      await failed.getByRole('link', { name: 'Move to another folder' }).waitFor();
      assert.deepEqual(await violations(page), []);
      await failed.getByRole('button', { name: 'Dismiss' }).click();
      await failed.waitFor({ state: 'detached' });
      await say(page, 'Precious words');
      await page.locator('article.user', { hasText: 'Precious words' }).waitFor();
      await page.locator('article.answer .note').first().waitFor();
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await page.context().close();
    } finally {
      await world.close();
    }
  });

  test('without an engine the page says what to do, and sees it when it is there', async () => {
    const world = await World.open();
    try {
      const page = await world.page();
      await page.getByText('helper will answer.').waitFor();
      await world.api('PATCH', '/settings', { engine_host: 'http://127.0.0.1:9' });
      const alert = page.getByRole('alert').filter({ hasText: 'Start Ollama, or install it' });
      await alert.getByRole('button', { name: 'Look again' }).waitFor();
      assert.deepEqual(await violations(page), []);
      assert.ok(await begin(page).isEnabled());
      await page.getByRole('textbox', { name: 'Address' }).fill('');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('helper will answer.').waitFor();
      await page.context().close();
    } finally {
      await world.close();
    }
  });
});

describe('sample life', () => {
  let world;
  let page;
  let own;
  before(async () => {
    world = await World.open();
    own = await world.ready();
    await world.api('PATCH', '/settings', { ui: null });
    page = await world.page();
  });
  after(() => world.close());

  test('is loaded with one click in the first run, beside the own memory', async () => {
    await page.getByRole('button', { name: 'Load it' }).click();
    await page.getByText('The sample life is loaded. Its agent is called Sample.').waitFor();
    await begin(page).waitFor(); // it is no beginning of one's own …
    await page.goto(new URL('#/settings/data', world.link).href);
    await page.getByRole('button', { name: 'Look at it' }).click(); // … and can be looked at before
    await page.locator('article.user', { hasText: 'again?' }).waitFor();
    await page.goto(new URL('#/', world.link).href);
    await begin(page).click();
    await page.locator('#composer').waitFor();
    const { agents, sample } = await world.api('GET', '/agents');
    assert.deepEqual(
      agents.map((a) => a.name),
      [own.name, 'Sample'],
    );
    assert.equal(agents[1].id, sample);
    const { passages } = await world.api('GET', `/passages?agent_id=${own.id}`);
    assert.deepEqual(passages, []);
  });

  test('has memory edits, receipts and messages that left the window to look at', async () => {
    await page.goto(new URL('#/settings/data', world.link).href);
    await page.getByRole('button', { name: 'Look at it' }).click();
    await page.locator('article.user', { hasText: 'again?' }).waitFor();
    await page
      .locator('article.answer summary', { hasText: /Recalled \d+ of \d+/ })
      .first()
      .waitFor();
    await page.getByRole('group', { name: 'Memory changed' }).first().waitFor();
    await page.locator('aside.panel summary', { hasText: 'home' }).click();
    await page.locator('aside.panel').getByText('Quay Road 3, ground floor.').first().waitFor();
    const { conversations } = await world.api('GET', '/conversations?limit=50');
    const long = conversations.find((c) => c.title === 'A flat by the water');
    await page.goto(new URL(`#/c/${long.id}`, world.link).href);
    await page
      .locator('article.user', { hasText: 'north light' })
      .or(page.getByText('left the window'))
      .first()
      .waitFor();
    const { events } = await world.api('GET', `/activity?conversation_id=${long.id}&types=window.evicted`);
    assert.ok(events.length > 0);
    assert.deepEqual(page.faults, []);
    await shot(page, 'sample');
  });

  test('goes again without a trace, and names what of one’s own goes with it', async () => {
    const { sample } = await world.api('GET', '/agents');
    await world.api('POST', '/passages', { agent_id: sample, text: 'Something of my own.' });
    await page.goto(new URL('#/settings/data', world.link).href);
    await page.getByRole('button', { name: 'Remove it' }).click();
    const ask = page.getByRole('alertdialog');
    await ask.getByText('Of your own this goes too: 1 passage').waitFor();
    assert.deepEqual(await violations(page), []);
    await ask.getByRole('button', { name: 'Keep it' }).click();
    await ask.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Remove it' }).click();
    await ask.getByRole('button', { name: 'Remove it' }).click();
    await page.getByText('The sample life is gone, without a trace.').waitFor();
    await page.getByRole('button', { name: 'Load it' }).waitFor();
    const { agents } = await world.api('GET', '/agents');
    assert.deepEqual(
      agents.map((a) => a.id),
      [own.id],
    );
    for (const state of ['active', 'archived', 'deleted']) {
      assert.deepEqual((await world.api('GET', `/conversations?state=${state}`)).conversations, []);
    }
    const { events } = await world.api('GET', '/activity?types=window.evicted,recall.done,passage.changed');
    assert.deepEqual(events, []);
    await page.goto(new URL('#/new', world.link).href);
    await page.locator('#composer').waitFor();
    assert.equal(await page.getByRole('navigation', { name: 'Places' }).getByText('Comet').count(), 0);
    assert.deepEqual(page.faults, []);
  });
});
