// Documents in the browser: added, read page by page, recalled with their page, changed, deleted.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pdf } from './pdf.mjs';
import { World, answered, long, misfits, say, shot, violations } from './world.mjs';

const manual = (pages = 300) =>
  pdf('The boiler manual', pages, (page) => [
    `# Chapter ${page}`,
    `Valve ${page} of the boiler is opened with key number ${page * 7}.`,
    page === 217
      ? 'The pressure gauge of the greenhouse shows 1.8 bar on a cold morning.'
      : 'It is closed in the evening.',
  ]);

describe('documents', () => {
  let world;
  let page;
  before(async () => {
    world = await World.open();
    await world.ready();
    page = await world.page({ path: '/#/memory/documents' });
    await page.getByRole('heading', { name: 'No documents yet' }).waitFor();
  });
  after(() => world.close());

  /** Adds files, each a name with its content, or the path of one. */
  const add = async (...files) => {
    const chosen = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Add documents' }).click();
    const given = files.map((file) =>
      typeof file === 'string' ? file : { name: file[0], buffer: file[1], mimeType: 'application/octet-stream' },
    );
    await (await chosen).setFiles(given);
  };
  const row = (title) => page.locator('.documents li', { has: page.getByRole('link', { name: title, exact: true }) });

  test('a PDF of 300 pages is read into the archive', async () => {
    await shot(page, 'documents-empty');
    await add(['manual.pdf', manual()]);
    await row('The boiler manual').getByText('300 pages', { exact: true }).waitFor(long);
    await row('The boiler manual').getByText('summary by rule').waitFor();
    await page.locator('.toast', { hasText: 'manual.pdf is in the archive.' }).waitFor();
    assert.deepEqual(await violations(page), []);
    await shot(page, 'documents-list');
  });

  test('a question draws on it, and the receipt leads to the page', async () => {
    await page.evaluate(() => (location.hash = '#/new'));
    await page.locator('#composer').waitFor();
    await say(page, 'What does the pressure gauge of the greenhouse show on a cold morning?');
    const answer = await answered(page, 1);
    await answer.locator('summary', { hasText: /recalled/i }).click();
    await answer
      .getByRole('link', { name: /The boiler manual\s· page 217/ })
      .first()
      .click();
    await page.getByRole('region', { name: 'Page 217' }).waitFor();
    const marked = page.locator('.marked');
    await marked.getByText(/1\.8 bar on a cold morning/).waitFor();
    assert.match(page.url(), /#\/memory\/documents\/document-\w+\?page=217&passage=passage-/);
    assert.deepEqual(await violations(page), []);
    await shot(page, 'documents-page');
  });

  test('its pages are turned, and its words are searched', async () => {
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByRole('region', { name: 'Page 218' }).getByText('key number 1526').waitFor();
    await page.getByRole('spinbutton', { name: 'Page' }).fill('3');
    await page.getByRole('spinbutton', { name: 'Page' }).press('Enter');
    await page.getByRole('region', { name: 'Page 3' }).getByText('key number 21.').waitFor();
    await page.getByRole('searchbox', { name: 'Search in this document' }).fill('number 2093');
    await page.getByRole('status').getByText('1 place').waitFor();
    await page.getByRole('link', { name: /page 299/ }).click();
    await page.locator('.marked', { hasText: 'key number 2093' }).waitFor();
    await page.goBack();
    await page.getByRole('region', { name: 'Page 3' }).waitFor();
  });

  test('its passages in the archive name it, and are not written by hand', async () => {
    await page.evaluate(() => (location.hash = '#/memory/archive?q=gauge'));
    const passage = page.locator('.passage', { hasText: '1.8 bar' });
    await passage.getByRole('link', { name: 'The boiler manual, page 217' }).waitFor();
    assert.equal(await passage.getByText('written by hand').count(), 0);
    const { agents } = await world.api('GET', '/agents');
    const { ids = [] } = await world.api('GET', `/passages/ids?agent_id=${agents[0].id}&origin=hand`);
    assert.deepEqual(ids, []);
  });

  test('the same file is recognised, a changed one updated with the way back', async () => {
    await page.evaluate(() => (location.hash = '#/memory/documents'));
    await row('The boiler manual').waitFor();
    await add(['copy.pdf', manual()]);
    await page.locator('.toast', { hasText: 'copy.pdf is in the archive already.' }).waitFor();
    await add(['manual.pdf', manual(301)]);
    const toast = page.locator('.toast', { hasText: 'manual.pdf was read anew' });
    await toast.waitFor();
    await row('The boiler manual').getByText('301 pages', { exact: true }).waitFor();
    await toast.getByRole('button', { name: 'Undo' }).click();
    await row('The boiler manual').getByText('300 pages', { exact: true }).waitFor();
  });

  test('what cannot be read says why, and leaves nothing', async () => {
    await add(['empty.txt', Buffer.from('')], ['half.pdf', manual(3).subarray(0, 800)]);
    await page.getByRole('alert').getByText('The file holds no text.').waitFor();
    await page.getByRole('alert').getByText('The file is damaged or cut off.').waitFor();
    assert.equal(await page.locator('.documents li').count(), 1);
    await shot(page, 'documents-problems');
    const other = await world.api('POST', '/agents', { name: 'Atlas' });
    const elsewhere = await world.page({ path: '/#/memory/documents' });
    await elsewhere.getByRole('alert').first().waitFor();
    await elsewhere.evaluate((id) => localStorage.setItem('agent', id), other.id);
    await elsewhere.reload();
    await elsewhere.getByRole('heading', { name: 'No documents yet' }).waitFor();
    assert.equal(await elsewhere.getByRole('alert').count(), 0);
    await elsewhere.close();
    await world.api('DELETE', `/agents/${other.id}`);
    for (let left = 2; left > 0; left--) await page.getByRole('button', { name: 'Dismiss' }).first().click();
    await page.getByRole('alert').first().waitFor({ state: 'detached' });
  });

  test('a reading is stopped, says so, and leaves nothing', async () => {
    const before = await page.locator('.documents li').count();
    // From the disk: through the protocol of the browser it would take longer than to be read.
    const rides = join(world.home, 'rides.txt');
    writeFileSync(rides, 'The ride went to the coast and back again, with the wind.\n\n'.repeat(300_000));
    await add(rides);
    const bar = page.getByRole('progressbar', { name: /rides\.txt/ });
    await bar.waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('rides.txt was stopped; nothing of it was kept.').waitFor();
    assert.equal(await page.locator('.documents li').count(), before);
    await page.getByRole('alert').getByRole('button', { name: 'Dismiss' }).click();
  });

  test('one is deleted with its passages, and comes back', async () => {
    await row('The boiler manual').getByRole('button', { name: 'Delete The boiler manual' }).click();
    await page.getByRole('heading', { name: 'No documents yet' }).waitFor();
    const agent = (await world.api('GET', '/agents')).agents[0];
    assert.equal((await world.api('GET', `/passages/ids?agent_id=${agent.id}&origin=document`)).ids?.length ?? 0, 0);
    await page.locator('.toast', { hasText: 'was deleted' }).getByRole('button', { name: 'Undo' }).click();
    await row('The boiler manual').waitFor();
  });

  test('a dropped file is read as well, in Chinese too', async () => {
    const zh = await world.page({
      path: '/#/memory/documents',
      language: 'zh-CN',
      theme: 'dark',
      width: 390,
      height: 800,
    });
    await zh.getByRole('link', { name: 'The boiler manual' }).waitFor();
    const data = await zh.evaluateHandle(() => {
      const transfer = new DataTransfer();
      transfer.items.add(new File(['# 钥匙\n\n钥匙在邻居那里。'], '钥匙.md', { type: 'text/markdown' }));
      return transfer;
    });
    await zh.dispatchEvent('.documents', 'dragover', { dataTransfer: data });
    await zh.getByText('把文件拖到这里，存入归档').waitFor();
    await zh.dispatchEvent('.documents', 'drop', { dataTransfer: data });
    await zh.getByRole('link', { name: '钥匙' }).waitFor();
    assert.deepEqual(await misfits(zh), []);
    assert.deepEqual(await violations(zh), []);
    await shot(zh, 'documents-zh');
    await zh.getByRole('link', { name: '钥匙' }).click();
    await zh.getByText('钥匙在邻居那里。').waitFor();
    assert.deepEqual(await misfits(zh), []);
    await shot(zh, 'documents-zh-page');
    await zh.context().close();
  });

  test('the page logged no fault', () => assert.deepEqual(page.faults, []));
});

test('the model writes a summary in the background, which shows when it is there, and is taken back in the activity', async () => {
  const written = 'The boiler manual explains how valve after valve is opened with its key.';
  const text = `# The boiler manual\n\n${'Each valve of the boiler is opened with its key. '.repeat(40)}`;
  const world = await World.open({ script: { 'Summarise what stands': `[[say ${written}]]` } });
  try {
    await world.ready();
    const page = await world.page({ path: '/#/memory/documents' });
    const chosen = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Add documents' }).first().click();
    await (await chosen).setFiles([{ name: 'manual.md', buffer: Buffer.from(text), mimeType: 'text/markdown' }]);
    await page.getByText(written).waitFor(long);
    await page.getByText('summary by the model').waitFor();
    await page.goto(new URL('#/activity', world.link).href);
    await page
      .locator('main li', { hasText: written.slice(0, 40) })
      .getByText('changed')
      .click();
    await page.getByText('summary of the document, by the model').waitFor();
    await page.locator('main').getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone.').waitFor();
    await page.goto(new URL('#/memory/documents', world.link).href);
    await page.getByText('summary by rule').waitFor();
    await shot(page, 'documents-summary');
    assert.deepEqual(page.faults, []);
  } finally {
    await world.close();
  }
});
