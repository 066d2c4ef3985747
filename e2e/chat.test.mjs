// The chat in Chromium: long conversations, what answers are made of, and writing.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { answered, compose, copied, say, shot, until, violations, World } from './world.mjs';

const scroller = (page) => page.getByRole('log');
/** Waits until it is scrolled to its end. */
const atEnd = (page) =>
  page.waitForFunction(() => {
    const e = document.querySelector('[role=log]');
    return e.scrollHeight - e.scrollTop - e.clientHeight < 2;
  });
/** The text of the entry that is nearest to the middle of what is shown. */
const inSight = (page) =>
  scroller(page).evaluate((e) => {
    const box = e.getBoundingClientRect();
    const middle = box.top + box.height / 2;
    const slots = [...e.querySelectorAll('.slot')];
    const distance = (s) => Math.abs((s.getBoundingClientRect().top + s.getBoundingClientRect().bottom) / 2 - middle);
    return slots.sort((a, b) => distance(a) - distance(b))[0].textContent;
  });

describe('a conversation of two thousand messages', () => {
  let world, page, id;
  before(async () => {
    world = await World.open({ fill: 2000 });
    await world.ready();
    id = (await world.api('GET', '/conversations')).conversations[0].id;
    page = await world.page({ path: `#/c/${id}` });
    await page.getByText('Answer number 2000.').waitFor();
  });
  after(() => world.close());

  test('opens at its end and holds only a stretch of it', async () => {
    await atEnd(page);
    assert.ok((await page.locator('article').count()) <= 120);
  });

  test('earlier messages come as one reads back, and nothing jumps', async () => {
    const seen = new Set();
    await scroller(page).focus();
    for (let i = 0; i < 40; i++) {
      await page.keyboard.press('PageUp');
      await page.waitForFunction(() => new Promise((done) => requestAnimationFrame(() => done(true))));
      const n = Number(/number (\d+)/.exec(await inSight(page))?.[1]);
      if (seen.size > 0) assert.ok(n <= Math.min(...seen) + 1, `read back to ${Math.min(...seen)}, then came ${n}`);
      seen.add(n);
    }
    assert.ok(Math.min(...seen) < 1900, `got only to ${Math.min(...seen)}`);
    assert.ok((await page.locator('article').count()) <= 300);
    await page.getByRole('button', { name: 'Jump to the latest message' }).click();
    await page.getByText('Answer number 2000.').waitFor();
    await atEnd(page);
  });

  test('a link leads to a message anywhere in it', async () => {
    await page.goto(`${new URL(world.link).origin}/#/c/${id}?m=message-00000347`);
    await page.locator('[data-entry="message-00000347"]').waitFor();
    const isInSight = () => {
      const box = document.querySelector('[data-entry="message-00000347"]').getBoundingClientRect();
      return box.top > 0 && box.bottom < innerHeight;
    };
    await page.waitForFunction(isInSight);
    // An answer that is written meanwhile does not pull the reader to the end.
    await world.api('POST', `/conversations/${id}/messages`, { content: 'From another window' });
    await page.getByTestId('announcer').filter({ hasText: 'Answer complete' }).waitFor();
    assert.ok(await page.evaluate(isInSight));
    // Reading on towards the end brings the later messages.
    await scroller(page).focus();
    for (let i = 0; i < 30; i++) {
      await page.keyboard.press('PageDown');
      await page.waitForFunction(() => new Promise((done) => requestAnimationFrame(() => done(true))));
    }
    assert.ok(Number(/number (\d+)/.exec(await inSight(page))?.[1]) > 380);
    // What one sends is shown, wherever one reads.
    await say(page, 'Now from here');
    await page.locator('article.answer', { hasText: 'Now from here' }).waitFor();
    await page.waitForFunction(() => {
      const e = document.querySelector('[role=log]');
      return e.scrollHeight - e.scrollTop - e.clientHeight < 2;
    });
  });

  test('what is opened at the end is read from its beginning', async () => {
    await say(page, 'What was said under number 1500, number 1501 and number 1502?');
    const answer = await answered(page);
    await answer.getByText(/^You said/).waitFor();
    const line = answer.locator('summary', { hasText: /^\s*Recalled \d+ of \d+/ });
    await line.waitFor();
    await atEnd(page);
    await line.click();
    await answer.locator('td').first().waitFor();
    const box = await line.boundingBox();
    const frame = await scroller(page).boundingBox();
    assert.ok(box.y >= frame.y && box.y < frame.y + frame.height, 'its first line has left the view');
    await page.getByRole('button', { name: 'Jump to the latest message' }).waitFor();
    // Shut again, the end is followed as before.
    await line.click();
    await atEnd(page);
    await page.getByRole('button', { name: 'Jump to the latest message' }).waitFor({ state: 'detached' });
  });

  test('words are found in all of it, English and Chinese, with their number, one by one', async () => {
    await say(page, '我的猫叫年糕');
    await page.locator('article.answer', { hasText: '年糕' }).waitFor();
    await page.keyboard.press('Control+f');
    const find = page.getByRole('search', { name: 'Find in this conversation' });
    const field = find.getByRole('searchbox');
    await field.fill('NUMBER 1233,');
    await find.getByText('1 of 1 messages').waitFor();
    await until(
      () => inSight(page),
      (text) => /number 123[2-4]/.test(text),
    );
    await field.fill('number 77');
    await find.getByText('1 of 11 messages').waitFor();
    await field.press('Enter');
    await find.getByText('2 of 11 messages').waitFor();
    await find.getByRole('button', { name: 'Later message with these words' }).click();
    await find.getByText('1 of 11 messages').waitFor();
    await page.waitForFunction(() => CSS.highlights.get('find-here')?.size > 0);
    await field.fill('年糕');
    await find.getByText('1 of 2 messages').waitFor();
    await page.waitForFunction(() => CSS.highlights.get('find-here')?.size === 1);
    await field.fill('nowhere at all');
    await find.getByText('Not found').waitFor();
    assert.deepEqual(await violations(page), []);
    await shot(page, 'chat-find');
    await field.press('Escape');
    await find.waitFor({ state: 'detached' });
    await page.waitForFunction(() => CSS.highlights.size === 0);
  });

  test('a day leads to its first message', async () => {
    await page.keyboard.press('Control+f');
    const day = new Date(Date.now() - 50 * 86_400_000);
    const iso = `${day.getFullYear()}-${String(day.getMonth() + 1).padStart(2, '0')}-${String(day.getDate()).padStart(2, '0')}`;
    await page.getByLabel('Go to a day').fill(iso);
    await page.waitForFunction((wanted) => {
      const shown = document.querySelector('.slot.shown time')?.dateTime;
      return shown && new Date(shown).toDateString() === wanted;
    }, day.toDateString());
    await page.keyboard.press('Escape');
    assert.deepEqual(page.faults, []);
  });
});

describe('what an answer is made of', () => {
  let world, page;
  before(async () => {
    world = await World.open();
    await world.ready();
    page = await world.page();
  });
  after(() => world.close());

  test('code is highlighted once it is finished, and copied as it was written', async () => {
    const code = 'def f(x):\n    return "```"  # <b>';
    await say(page, `[[say Look:\n\n\`\`\`\`python\n${code}\n\`\`\`\`\n\nThat is all.]]`);
    const answer = await answered(page, 1);
    await answer.locator('code .k').first().waitFor();
    assert.equal(await answer.locator('pre code').innerText(), code);
    await answer.getByRole('button', { name: 'Copy code' }).click();
    await copied(page, code);
  });

  test('thinking is one folded line with its time and tokens', async () => {
    await world.api('PATCH', `/agents/${(await world.api('GET', '/agents')).agents[0].id}`, { thinking: true });
    await world.api('PATCH', '/settings', { model: 'thinker:latest' });
    await say(page, '[[think One, two and three.]] [[say Three things.]]');
    const answer = await answered(page, 2);
    const line = answer.locator('summary', { hasText: /^\s*Thought for \d+ (ms|s), ≈ \d+ tokens\s*$/ });
    await line.click();
    await answer.getByText('One, two and three.').waitFor();
  });

  test('mathematics is set with fonts of our own, money is left alone', async () => {
    const asked = [];
    page.on('request', (r) => asked.push(r.url()));
    await say(page, '[[say The area is \\(\\pi r^2\\), it costs $5 or $6.\n\n$$\nE = mc^2\n$$\n\nDone.]]');
    const answer = await answered(page, 3);
    await answer.locator('.math .katex').nth(1).waitFor();
    assert.equal(await answer.locator('.math').count(), 2);
    assert.match(await answer.innerText(), /it costs \$5 or \$6\./);
    await page.waitForFunction(() =>
      [...document.fonts].some((f) => f.family.startsWith('KaTeX') && f.status === 'loaded'),
    );
    const { origin } = new URL(world.link);
    assert.deepEqual(
      asked.filter((url) => new URL(url).origin !== origin),
      [],
    );
    assert.deepEqual(await violations(page), []);
    await shot(page, 'chat-math');
  });
});

describe('writing', () => {
  let world, page;
  const composer = () => page.locator('#composer');
  const attach = (files) =>
    page.evaluate((given) => {
      const data = new DataTransfer();
      for (const { name, type, bytes } of given) data.items.add(new File([new Uint8Array(bytes)], name, { type }));
      window.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
    }, files);
  const bytes = (text) => [...new TextEncoder().encode(text)];
  const messages = async () => {
    const [{ id }] = (await world.api('GET', '/conversations')).conversations;
    return (await world.api('GET', `/conversations/${id}/messages`)).messages;
  };

  const files = () => page.getByRole('list', { name: 'Attached files' });
  const archive = async () => {
    const [agent] = (await world.api('GET', '/agents')).agents;
    return (await world.api('GET', `/passages?agent_id=${agent.id}`)).passages;
  };
  /** Until the browser keeps one draft, whose files go where `wanted` says; or none. */
  const keptDraft = (wanted) =>
    page.waitForFunction(async (wanted) => {
      const result = (request) =>
        new Promise((done, fail) => {
          request.onsuccess = () => done(request.result);
          request.onerror = fail;
        });
      const database = await result(indexedDB.open('unsent'));
      const drafts = await result(database.transaction('files').objectStore('files').getAll());
      database.close();
      return (drafts[0]?.files ?? []).map((file) => file.into).join() === wanted;
    }, wanted);

  before(async () => {
    world = await World.open();
    await world.ready();
    page = await world.page();
    await composer().waitFor();
  });
  after(() => world.close());

  test('Enter that ends a composition never sends: composer, edited message, search', async () => {
    await composer().focus();
    await compose(page, 'nian', '年糕');
    assert.equal(await composer().inputValue(), '年糕');
    assert.equal(await page.locator('article').count(), 0);
    await composer().press('Enter');
    await answered(page, 1);

    await composer().press('ArrowUp');
    const edited = page.getByRole('textbox', { name: 'Edit the message' });
    await edited.waitFor();
    await edited.focus();
    await compose(page, 'tuan', '团子');
    assert.equal(await page.locator('article.user').count(), 1);
    await page.keyboard.press('Escape');
    await edited.waitFor({ state: 'detached' });

    await page.keyboard.press('Control+f');
    const find = page.getByRole('search', { name: 'Find in this conversation' });
    await find.getByRole('searchbox').focus();
    await compose(page, 'nian', '年糕');
    await find.getByText('of 2 messages').waitFor();
    await page.keyboard.press('Escape');
  });

  test('the up arrow in an empty field edits the last message', async () => {
    await composer().focus();
    await page.keyboard.press('ArrowUp');
    const edited = page.getByRole('textbox', { name: 'Edit the message' });
    assert.equal(await edited.inputValue(), '年糕');
    await edited.fill('年糕是猫');
    await edited.press('Control+Enter');
    await page.getByText('2 of 2').first().waitFor();
    assert.equal((await messages())[0].content, '年糕是猫');
  });

  test('text files go with one message or into the archive; what is no text says why', async () => {
    await answered(page);
    await attach([
      { name: 'notes.md', type: 'text/markdown', bytes: bytes('# Notes\nThe van comes on **Friday**.') },
      { name: 'book.txt', type: 'text/plain', bytes: bytes('A long book about bicycles.') },
      { name: 'program.bin', type: '', bytes: [1, 0, 2] },
      { name: 'old.txt', type: 'text/plain', bytes: [99, 97, 102, 233] },
      { name: 'photo.png', type: 'image/png', bytes: [137, 80, 78, 71, 13, 10, 26, 10, 0] },
    ]);
    const list = page.getByRole('list', { name: 'Attached files' });
    await list.getByText('book.txt').waitFor();
    for (const why of ['program.bin is not a text.', 'this model cannot see']) await page.getByText(why).waitFor();
    // A text in an old encoding, as any document, is read by the archive.
    await list.getByRole('listitem').filter({ hasText: 'old.txt' }).getByText('into the archive').waitFor();
    assert.equal(await list.getByRole('listitem').count(), 3);
    assert.deepEqual(await violations(page), []);
    await shot(page, 'chat-files');
    await list.getByRole('combobox', { name: 'Where book.txt goes' }).selectOption('archive');
    const before = await page.locator('article.answer').count();
    await say(page, 'What comes on Friday?');
    await list.waitFor({ state: 'detached' });
    await page.locator('article.user').last().getByText('notes.md').click();
    await page.getByRole('group', { name: 'notes.md' }).getByText('The van comes on **Friday**.').waitFor();
    await page.waitForFunction((n) => document.querySelectorAll('article.answer[aria-busy=false]').length > n, before);
    const all = await messages();
    const sent = all.findLast((m) => m.role === 'user');
    assert.deepEqual(
      sent.files.map(({ name, type }) => [name, type]),
      [['notes.md', 'text/plain']],
    );
    const prompt = await world.api('GET', `/messages/${all.at(-1).id}/prompt`);
    assert.match(prompt.messages.at(-1).content, /<file name="notes\.md">\n# Notes\nThe van comes/);
    const agent = (await world.api('GET', '/agents')).agents[0];
    const { passages } = await world.api('GET', `/passages?agent_id=${agent.id}`);
    const said = (name) => passages.find((p) => p.document?.title === name && p.document.page > 0)?.text;
    assert.deepEqual([said('book'), said('old')], ['A long book about bicycles.', 'café']);
    // It was stored with the message, and is taken back as easily.
    await Promise.all([
      page.waitForResponse((r) => r.url().endsWith('/undo')),
      page.locator('.toast', { hasText: 'book.txt' }).getByRole('button', { name: 'Undo' }).click(),
    ]);
    await Promise.all([
      page.waitForResponse((r) => r.url().endsWith('/undo')),
      page.locator('.toast', { hasText: 'old.txt' }).getByRole('button', { name: 'Undo' }).click(),
    ]);
    assert.deepEqual(await archive(), []);
  });

  test('files that are not sent survive a reload, in their conversation, until they are removed', async () => {
    await attach([
      { name: 'notes.md', type: 'text/markdown', bytes: bytes('# Notes') },
      { name: 'book.txt', type: 'text/plain', bytes: bytes('A long book about bicycles.') },
    ]);
    await files().getByRole('combobox', { name: 'Where book.txt goes' }).selectOption('archive');
    await keptDraft('message,archive');
    await page.reload();
    await files().getByText('notes.md').waitFor();
    assert.equal(await files().getByRole('combobox', { name: 'Where book.txt goes' }).inputValue(), 'archive');
    await page.keyboard.press('Control+Shift+o');
    await page.getByRole('heading', { name: 'New conversation' }).waitFor();
    assert.equal(await files().count(), 0);
    await page.goBack();
    await files().getByText('notes.md').waitFor();
    await page.getByRole('button', { name: 'Remove notes.md' }).click();
    await page.getByRole('button', { name: 'Remove book.txt' }).click();
    await keptDraft('');
    await page.reload();
    await page.locator('article').first().waitFor();
    assert.equal(await files().count(), 0);
    assert.deepEqual(await archive(), []); // what was removed before it was sent has left nothing
  });

  test('what goes into the archive goes with the message or not at all', async () => {
    await attach([
      { name: 'notes.md', type: 'text/markdown', bytes: bytes('# Notes') },
      { name: 'book.txt', type: 'text/plain', bytes: bytes('A long book about bicycles.') },
    ]);
    await files().getByRole('combobox', { name: 'Where book.txt goes' }).selectOption('archive');
    const refuse = (route) => (route.request().method() === 'POST' ? route.abort() : route.continue());
    await page.route('**/api/conversations/*/messages', refuse);
    await Promise.all([page.waitForEvent('requestfailed'), say(page, 'Lost on the way')]);
    await files().getByText('notes.md').waitFor();
    assert.equal(await composer().inputValue(), 'Lost on the way');
    assert.equal(await files().getByRole('listitem').count(), 2);
    assert.deepEqual(await archive(), []);
    await page.unroute('**/api/conversations/*/messages', refuse);
    await composer().fill('');
    await page.getByRole('button', { name: 'Remove notes.md' }).click();
    await page.getByRole('button', { name: 'Remove book.txt' }).click();
  });

  test('the first message of a new conversation that cannot be stored stays with the reader, and is sent once', async () => {
    const before = page.url();
    await page.getByRole('button', { name: 'New conversation' }).click();
    await page.getByRole('heading', { name: /^Write to/ }).waitFor();
    await attach([{ name: 'notes.md', type: 'text/markdown', bytes: bytes('# Notes') }]);
    await files().getByText('notes.md').waitFor();
    const refuse = (route) => (route.request().method() === 'POST' ? route.abort() : route.continue());
    await page.route('**/api/conversations/*/messages', refuse);
    await Promise.all([page.waitForEvent('requestfailed'), say(page, 'First words')]);
    await files().getByText('notes.md').waitFor();
    assert.equal(await composer().inputValue(), 'First words');
    await page.unroute('**/api/conversations/*/messages', refuse);
    await composer().press('Enter');
    await answered(page, 1);
    assert.equal(await page.locator('article.user').count(), 1);
    // The new conversation begins empty again.
    await page.getByRole('button', { name: 'New conversation' }).click();
    await page.getByRole('heading', { name: /^Write to/ }).waitFor();
    assert.equal(await composer().inputValue(), '');
    assert.equal(await files().count(), 0);
    await page.goto(before);
    await page.locator('article').first().waitFor();
  });

  test('the same file is attached once', async () => {
    const notes = { name: 'notes.md', type: 'text/markdown', bytes: bytes('# Notes') };
    await attach([notes]);
    await files().getByText('notes.md').waitFor();
    await attach([notes]);
    await page.getByText('notes.md is attached already.').waitFor();
    assert.equal(await files().getByRole('listitem').count(), 1);
    await page.getByRole('button', { name: 'Remove notes.md' }).click();
  });

  test('a message that waits is shown, and can be taken back', async () => {
    await say(page, '[[long 400]]');
    await page.getByRole('button', { name: /^Stop/ }).waitFor();
    await attach([{ name: 'notes.md', type: 'text/markdown', bytes: bytes('# Notes') }]);
    await files().waitFor();
    await say(page, 'And another thing');
    await page.getByText('1 waiting').waitFor();
    await say(page, 'And one more');
    await page.getByText('2 waiting').waitFor();
    const waiting = page.locator('article.user', { hasText: 'And another thing' });
    await waiting.getByRole('button', { name: 'Take back' }).click();
    await page.getByText('1 waiting').waitFor();
    await waiting.waitFor({ state: 'detached' });
    await page.waitForFunction(() => document.getElementById('composer').value === 'And another thing');
    await files().getByText('notes.md').waitFor();
    await page.getByRole('button', { name: 'Remove notes.md' }).click();
    await page.keyboard.press('Escape');
    await page.getByText('Stopped by you.').last().waitFor();
    await page.locator('article.answer[aria-busy="false"]', { hasText: 'And one more' }).waitFor();
    assert.equal((await messages()).filter((m) => m.content === 'And another thing').length, 0);
  });

  test('a message is quoted, and a conversation exported', async () => {
    await composer().fill('');
    const answer = page.locator('article.answer').first();
    await answer.hover();
    await answer.getByRole('button', { name: 'Quote' }).click();
    assert.match(await composer().inputValue(), /^> /);
    await composer().fill('');
    const menu = () => page.getByRole('button', { name: 'Actions for this conversation' }).click();
    await menu();
    const [markdown] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Export as Markdown' }).click(),
    ]);
    const text = readFileSync(await markdown.path(), 'utf8');
    assert.match(text, /^# .*\n\n## You, /);
    assert.match(text, /What comes on Friday\?\n\n📎 notes\.md/);
    await menu();
    const [json] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Export as JSON' }).click(),
    ]);
    const exported = JSON.parse(readFileSync(await json.path(), 'utf8'));
    assert.equal(exported.messages.length, (await messages()).length);
  });

  test('model, thinking, temperature and window are set from the chat', async () => {
    const picker = page.getByRole('button', { name: /^Model: / });
    await picker.click();
    await page.getByRole('button', { name: 'Use: thinker' }).click();
    await page.getByRole('button', { name: 'Model: thinker' }).waitFor();
    await page.getByRole('button', { name: 'How Recollect answers' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('checkbox', { name: 'Thinking' }).check();
    await dialog.getByLabel('Context window').fill('8192');
    await dialog.getByLabel('Context window').press('Tab');
    await dialog.getByLabel('Temperature').fill('0.3');
    await dialog.getByText('0.3').waitFor();
    assert.deepEqual(await violations(page), []);
    await shot(page, 'chat-answers');
    await page.keyboard.press('Escape');
    await until(
      async () => (await world.api('GET', '/agents')).agents[0],
      ({ window, temperature, thinking }) => window === 8192 && temperature === 0.3 && thinking === true,
    );
    assert.deepEqual(page.faults, []);
  });
});
