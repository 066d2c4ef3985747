// The picture for the README. SCREENSHOT=PATH keeps it.
import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { join } from 'node:path';
import { answered, out, say, World } from './world.mjs';

const shot = (page, name) => page.screenshot({ path: join(out, `${name}.png`) });
const panel = (page) => page.locator('aside.panel');
const block = (page, label) =>
  panel(page).locator('details', {
    has: page.locator(`b:text-is("${label}")`),
  });

describe('the picture for the README', () => {
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

  test('shows a chat whose memory changes', async () => {
    const page = await world.page();
    await page.locator('article.answer').nth(2).waitFor();
    await block(page, 'human').locator('summary').click();
    await page.getByRole('group', { name: 'Memory changed' }).locator('ins', { hasText: 'a Saturday' }).waitFor();
    await page.locator('.place summary', { hasText: 'Recalled' }).last().waitFor();
    await page.waitForTimeout(400); // the receipts near the eye are fetched
    await shot(page, 'screenshot');
    if (process.env.SCREENSHOT) copyFileSync(join(out, 'screenshot.png'), process.env.SCREENSHOT);
    assert.deepEqual(page.faults, []);
    await page.context().close();
  });
});
