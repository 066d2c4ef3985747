// That everybody reaches everything: by keyboard, by address, with a screen reader, at any size, in any direction of
// writing and with any colours.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { join } from 'node:path';
import { World, answered, compose, misfits, out, say, undo, violations } from './world.mjs';

// SHOTS=1 keeps a picture of each screen in e2e/out, to be looked at.
const shot = async (page, name) => {
  if (process.env.SHOTS) await page.screenshot({ path: join(out, `reach-${name}.png`.replace(/[^\w.-]+/g, '-')) });
};
const go = async (page, hash) => {
  await page.evaluate((to) => (location.hash = to), hash);
  await page.locator('main h1').waitFor();
};
/** Until the page has come to rest: what a screen shows is fetched, some of it later than the screen itself. */
const settled = (page) =>
  page.evaluate(
    () =>
      new Promise((rest) => {
        const watch = new MutationObserver(() => wait());
        let timer;
        const wait = () => {
          clearTimeout(timer);
          timer = setTimeout(() => (watch.disconnect(), rest()), 150);
        };
        watch.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
        wait();
      }),
  );

let world;
let agent;
const ids = {};
before(async () => {
  world = await World.open();
  agent = await world.ready();
  await world.api('PATCH', `/agents/${agent.id}`, { name: 'Wren' });
  await world.api('POST', '/agents', { name: 'Tutor' });
  const core = await world.api('GET', `/agents/${agent.id}/core`);
  await world.api('PATCH', `/blocks/${core.blocks.find((b) => b.label === 'human').id}`, {
    value: 'Called Mina. Bicycle: Comet, a steel tourer. Cat: Niangao, six, sensitive stomach.',
    description: 'What is known about Mina.',
  });
  for (const text of ['Comet is at the bike shop until Thursday.', '阳台上的百合：待确认']) {
    await world.api('POST', '/passages', { agent_id: agent.id, text, tags: ['bicycle', 'shop'] });
  }
  const form = new FormData();
  form.set('agent_id', agent.id);
  form.set(
    'file',
    new Blob(['# The boiler\n\nValve 3 is opened with key 21.\n\n| part | price |\n|---|---|\n| valve | 20 |']),
    'boiler.md',
  );
  form.append('file', new Blob(['PK\x03\x04 half a file']), 'half.docx');
  await world.send('POST', '/documents', form);
  const reader = await world.page({ path: '#/memory/documents' });
  await reader.getByRole('alert').getByText('half.docx').waitFor();
  await reader.getByRole('link', { name: 'The boiler' }).waitFor();
  await reader.context().close();
  ids.document = (await world.api('GET', `/documents?agent_id=${agent.id}`)).documents[0].id;
  for (const [title, change] of [
    ['Packing list for the kitchen', { pinned: true }],
    ['年糕换粮记录', {}],
    ['Letter to the landlord', { archived: true }],
  ]) {
    const c = await world.api('POST', '/conversations', { agent_id: agent.id, title });
    ids[title] = c.id;
    await world.api('PATCH', `/conversations/${c.id}`, change);
  }
  for (const [value, pinned] of [
    ['a small flat over the bakery in the Rue des Trois Maries, Lyon', false],
    ['Ghent', true],
  ]) {
    const { fact } = await world.api('POST', `/agents/${agent.id}/facts`, { key: 'home', value, pinned });
    ids.fact = fact.id;
  }
  const gone = await world.api('POST', '/conversations', { agent_id: agent.id, title: 'Gone' });
  ids.gone = gone.id;
  await world.api('DELETE', `/conversations/${gone.id}`);

  const page = await world.page({ path: '#/new' });
  await page.locator('#composer').waitFor();
  await say(
    page,
    '[[think Two things.]] [[say # A title\n\nSome **bold** words with `code` and a [link](https://example.org).\n\n```js\nlet a = 1;\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |]]',
  );
  await answered(page, 1);
  await say(page, 'Remember that the keys come on 28 November.');
  await answered(page, 2);
  ids.talk = new URL(page.url()).hash.slice('#/c/'.length);
  await page.context().close();
});
after(() => world.close());

/** Every screen, each with the way to it; some only exist on windows of a certain width. */
const screens = [
  ['chat', (page) => go(page, `#/c/${ids.talk}`)],
  ['what an answer drew on', (page) => page.locator('article.answer .place summary').last().click()],
  ['context window', (page) => page.locator('.rest').click()],
  [
    'models',
    async (page) => {
      await page.keyboard.press('Escape');
      await page.locator('header .picker > button').click();
      await page.locator('.picker .models').waitFor();
    },
  ],
  [
    'memory sheet',
    async (page) => {
      await page.keyboard.press('Escape');
      await page.locator('header .sheet').click();
      await page.locator('aside.panel.open').waitFor();
    },
    (width) => width < 1000,
  ],
  [
    'places sheet',
    async (page) => {
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+b');
      await page.locator('.places.open').waitFor();
    },
    (width) => width < 1200,
  ],
  [
    'agents to choose',
    async (page, width) => {
      if (width >= 1200) await page.keyboard.press('Escape');
      await page.locator('.places .who [aria-haspopup=menu]').click();
      await page.locator('[role=menu]').waitFor();
    },
  ],
  [
    'search',
    async (page) => {
      await page.keyboard.press('Escape');
      await page.locator('#conversation-search-button').click();
      await page.locator('#conversation-search').fill('list');
      await page.locator('nav mark').first().waitFor();
    },
  ],
  [
    'new conversation',
    async (page) => {
      await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');
      await go(page, '#/new');
    },
  ],
  ['deleted conversation', (page) => go(page, `#/c/${ids.gone}`)],
  ['window', (page) => go(page, `#/context?in=${ids.talk}`)],
  [
    'compactions',
    async (page) => {
      await go(page, '#/context/compactions');
      await page.locator('main summary').click();
    },
  ],
  ['usage', (page) => go(page, '#/context/usage')],
  ['check-up', (page) => go(page, '#/context/checkup')],
  ['ruler and cost', (page) => go(page, '#/context/tools')],
  ['experiments', (page) => go(page, '#/context/experiments')],
  [
    'room in core memory',
    async (page) => {
      await page.keyboard.press('Control+k');
      await page.locator('dialog input').fill('Make room');
      await page.keyboard.press('Enter');
      await page.locator('dialog h2').waitFor();
    },
  ],
  [
    'memory',
    async (page) => {
      await page.keyboard.press('Escape');
      await go(page, '#/memory');
    },
  ],
  ['archive', (page) => go(page, '#/memory/archive')],
  [
    'recall, tried',
    async (page) => {
      await go(page, '#/memory/recall?q=Where+is+Comet%3F');
      await page.locator('.result table').waitFor();
      await page.locator('.result button[aria-expanded]').first().click();
    },
  ],
  ['archive, searched', (page) => go(page, '#/memory/archive?q=Comet')],
  [
    'facts, one being written',
    async (page) => {
      await go(page, '#/memory/facts?all=1');
      await page.locator('.listing .value').first().waitFor();
      await page.locator('.listing .btn.primary').first().click();
      await page.locator('.listing form').waitFor();
    },
  ],
  ['a fact and its history', (page) => go(page, `#/memory/facts/${ids.fact}`)],
  ['documents', (page) => go(page, '#/memory/documents')],
  [
    'page of a document, searched',
    async (page) => {
      await go(page, `#/memory/documents/${ids.document}?page=1`);
      await page.locator('.sheet .text').first().waitFor();
      await page.locator('.listing input[type=search]').fill('valve');
      await page.locator('.found a').first().waitFor();
    },
  ],
  ['activity', (page) => go(page, '#/activity')],
  ['agents', (page) => go(page, '#/agents')],
  ['new agent', (page) => go(page, '#/agents/new')],
  [
    'rename',
    async (page) => {
      await go(page, `#/c/${ids.talk}`);
      await page.keyboard.press('Control+k');
      const chinese = (await page.evaluate(() => document.documentElement.lang)).startsWith('zh');
      await page.locator('dialog [role=combobox]').fill(chinese ? '给会话改名' : 'Rename the conversation');
      await page.keyboard.press('Enter');
      await page.locator('dialog form').waitFor();
    },
  ],
  [
    'how the agent answers',
    async (page) => {
      await page.keyboard.press('Escape');
      await page.locator('dialog').waitFor({ state: 'detached' });
      await page.locator('header .menu [aria-haspopup=menu]').last().click();
      await page.locator('[role=menuitem]').last().click();
      await page.locator('dialog [type=range]').waitFor();
    },
  ],
  [
    'find in the conversation',
    async (page) => {
      await page.keyboard.press('Escape');
      await page.locator('dialog').waitFor({ state: 'detached' });
      await page.keyboard.press('Control+f');
      await page.locator('.find [type=search]').fill('keys');
      await page.waitForFunction(() => CSS.highlights.get('find-here')?.size > 0);
    },
  ],
  [
    'attached files',
    async (page) => {
      await page.keyboard.press('Escape');
      const chooser = page.waitForEvent('filechooser');
      await page.locator('.composer .foot button').first().click();
      await (
        await chooser
      ).setFiles([
        {
          name: 'notes-about-the-kitchen-and-all-of-its-boxes.md',
          mimeType: 'text/markdown',
          buffer: Buffer.from('# Notes'),
        },
        { name: 'book.txt', mimeType: 'text/plain', buffer: Buffer.from('A book.') },
      ]);
      await page.locator('.composer li').nth(1).waitFor();
    },
  ],
  [
    'palette',
    async (page) => {
      for (const left of [1, 0]) {
        await page.locator('.composer li button').first().click();
        await page.waitForFunction((n) => document.querySelectorAll('.composer li').length === n, left);
      }
      await page.keyboard.press('Control+k');
      await page.locator('dialog [role=combobox]').waitFor();
    },
  ],
  [
    'list of keys',
    async (page) => {
      await page.keyboard.press('Escape');
      await page.locator('dialog').waitFor({ state: 'detached' });
      await page.evaluate(() => document.activeElement?.blur());
      await page.keyboard.press('?');
      await page.locator('dialog dl').first().waitFor();
    },
  ],
];

/** Goes through all screens, and the sections that the settings have. `again` opens anew what closes with a resize. */
async function each(page, check) {
  const { width } = page.viewportSize();
  const at = async (name, again = () => undefined) => {
    await settled(page);
    await check(name, again);
  };
  for (const [name, open, exists] of screens) {
    if (exists && !exists(width)) continue;
    await open(page, width);
    await at(name, name === 'agents to choose' ? () => open(page, width) : undefined);
  }
  await page.keyboard.press('Escape');
  await go(page, '#/settings');
  await at('settings');
  const sections = await page.evaluate(() =>
    [...document.querySelectorAll('main a[href^="#/settings/"]')].map((a) => a.getAttribute('href')),
  );
  for (const section of new Set(sections)) {
    await go(page, section);
    await at(section.slice(2));
  }
}

/** Notes what is wrong with the screen as it stands. */
const lookAt =
  (page, screen, bad) =>
  async (name, { axe = false } = {}) => {
    await settled(page);
    await shot(page, `${name}-${screen}`);
    for (const what of axe ? await violations(page) : []) bad.push(`${name}, ${screen}: ${what}`);
    for (const what of await misfits(page)) bad.push(`${name}, ${screen}: ${what}`);
  };
const resize = (page, width, height) => page.setViewportSize({ width, height });
const mirror = (page, on) => page.evaluate((dir) => (document.documentElement.dir = dir), on ? 'rtl' : '');
/** Changes the language and the colours of the system; the page, which follows it, is not made anew. */
async function system(page, language, colorScheme) {
  const cdp = await page.context().newCDPSession(page);
  const userAgent = await page.evaluate(() => navigator.userAgent);
  await cdp.send('Emulation.setUserAgentOverride', { userAgent, acceptLanguage: language });
  await page.emulateMedia({ colorScheme });
  await page.waitForFunction((wanted) => document.documentElement.lang.startsWith(wanted), language.slice(0, 2));
  await cdp.detach();
}
/**
 * What would move on the page, each with the longest it takes in ms. A highlight that fades explains what else would move; an
 * animation without a duration only waits.
 */
const motions = (page) =>
  page.evaluate(() => {
    const ms = (list) => Math.max(...list.split(',').map((one) => parseFloat(one) * (one.endsWith('ms') ? 1 : 1000)));
    const found = new Map();
    for (const element of document.querySelectorAll('*')) {
      for (const pseudo of [null, '::before', '::after', '::details-content', '::backdrop']) {
        const style = getComputedStyle(element, pseudo);
        const animated = style.animationName.endsWith('-tint') ? 0 : ms(style.animationDuration);
        const loops = style.animationName !== 'none' && style.animationIterationCount === 'infinite';
        const longest = loops ? Infinity : Math.max(animated, ms(style.transitionDuration));
        if (longest > 0) found.set(`${element.tagName}.${element.classList[0] ?? ''}${pseudo ?? ''}`, longest);
      }
    }
    return [...found];
  });

/** Controls without a name, what moves though it must not, and texts that show how they were made. */
async function names(page, screen, bad) {
  const nameless = await page.evaluate(() =>
    [...document.querySelectorAll('button, a[href], input, select, textarea, [role=button], [role=tab]')]
      .filter((e) => e.checkVisibility())
      .filter((e) => {
        const label = e.getAttribute('aria-label') ?? e.labels?.[0]?.textContent ?? e.textContent;
        return !label?.trim() && !e.getAttribute('aria-labelledby');
      })
      .map((e) => e.outerHTML.slice(0, 100)),
  );
  bad.push(...nameless.map((what) => `${screen}: without a name: ${what}`));
  for (const [what, ms] of await motions(page)) bad.push(`${screen}: moves for ${ms} ms: ${what}`);
  const [odd] = /\[object |undefined<|>NaN|Invalid Date/.exec(await page.locator('body').innerHTML()) ?? [];
  if (odd) bad.push(`${screen}: says ${odd}`);
}

// Every screen is opened once for each class of widths, and there seen in all its states. What axe finds does not depend
// on the width, but for what narrow windows alone have.
describe('no violation, nothing out of place and nothing without a name', () => {
  const through = async (options, check) => {
    const page = await world.page(options);
    await page.locator('main').waitFor();
    const bad = [];
    await each(page, (screen, again) => check(page, lookAt(page, screen, bad), again, (p) => names(p, screen, bad)));
    assert.deepEqual(bad, []);
    assert.deepEqual(page.faults, []);
    await page.context().close();
  };

  test('wide: light, dark in Chinese, forced colours, from right to left, up to 4K', async () => {
    await through({}, async (page, look, again, named) => {
      await look('light', { axe: true });
      await named(page);
      await page.emulateMedia({ forcedColors: 'active' });
      await look('forced colours', { axe: true });
      await page.emulateMedia({ forcedColors: 'none' });
      await system(page, 'zh-CN', 'dark');
      await look('dark, in Chinese', { axe: true });
      await system(page, 'en-US', 'light');
      for (const [name, width, height, rtl] of [
        ['2,560 px', 2560, 1440],
        ['4K', 3840, 2160],
        ['from right to left', 1280, 800, true],
        ['', 1440, 900],
      ]) {
        await resize(page, width, height);
        await mirror(page, rtl);
        await again();
        if (name) await look(name);
      }
    });
  });

  test('1,100 px', () => through({ width: 1100, height: 800 }, (page, look) => look('1,100 px')));

  test('narrow: 360 px, from right to left, 200 % zoom', async () => {
    await through({ width: 360, height: 740, theme: 'dark' }, async (page, look, again) => {
      await look('360 px', { axe: true });
      await mirror(page, true);
      await look('from right to left, 360 px');
      await mirror(page, false);
      await resize(page, 640, 400);
      await again();
      await look('200 % zoom');
      await resize(page, 360, 740);
      await again();
    });
  });
});

/** Makes every text that the page shows 40 % longer, as translations into other languages are. Nothing of it is shipped. */
const lengthen = () => {
  const longer = (text) => {
    const words = text.trim();
    if (words === '' || words.startsWith('⟦') || !/\p{L}/u.test(words)) return text;
    return `⟦${words}${' ähm'.repeat(Math.ceil((words.length * 0.4) / 4)).slice(0, Math.ceil(words.length * 0.4))}⟧`;
  };
  const change = (node) => {
    if (node.nodeType === Node.TEXT_NODE) {
      const text = longer(node.data);
      if (!node.parentElement?.closest('script, style, textarea') && text !== node.data) node.data = text;
      return;
    }
    for (const attribute of ['placeholder', 'title', 'aria-label']) {
      const text = node.getAttribute?.(attribute);
      if (text && longer(text) !== text) node.setAttribute(attribute, longer(text));
    }
    for (const child of node.childNodes) change(child);
  };
  addEventListener('DOMContentLoaded', () => {
    new MutationObserver((records) => {
      for (const { type, target, addedNodes } of records) {
        if (type === 'childList') addedNodes.forEach(change);
        else change(target);
      }
    }).observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
      attributeFilter: ['placeholder', 'title', 'aria-label'],
    });
  });
};

describe('other languages', () => {
  for (const width of [1280, 360]) {
    test(`texts that are 40 % longer fit on every screen of ${width} px`, async () => {
      const page = await world.page({ width, height: 800 });
      await page.addInitScript(lengthen);
      await page.reload();
      await page.locator('main').waitFor();
      const bad = [];
      await each(page, (screen) => lookAt(page, screen, bad)(`longer texts, ${width} px`));
      assert.deepEqual(bad, []);
      assert.deepEqual(page.faults, []);
      await page.context().close();
    });
  }
});

describe('keyboard', () => {
  let page;
  before(async () => {
    page = await world.page({ path: `#/c/${ids.talk}` });
    await page.locator('article.answer').first().waitFor();
  });
  after(() => page.context().close());
  const heading = (name) => page.getByRole('heading', { name, level: 1 }).waitFor();
  const palette = () => page.getByRole('combobox', { name: 'Find an action or a place' });
  const focus = () =>
    page.evaluate(() => document.activeElement?.id || document.activeElement?.getAttribute('aria-label'));

  test('the palette finds actions, places, conversations, blocks, agents and what was said, and the focus returns', async () => {
    await page.locator('#composer').focus();
    await page.keyboard.press('Control+k');
    await palette().fill('nconv');
    await page.getByRole('option', { name: /New conversation/ }).waitFor();
    await palette().press('Escape');
    await palette().waitFor({ state: 'detached' });
    assert.equal(await focus(), 'composer');
    for (const [letters, found] of [
      ['ngh', /年糕换粮记录.*Conversation/],
      ['packing', /Packing list.*Conversation/],
      ['human', /human.*Block/],
      ['sample life', /Sample life.*Go to/],
      ['tut', /Tutor.*Agent/],
      ['28 nov', /the keys come on 28 November.*Message/],
    ]) {
      await page.keyboard.press('Control+k');
      await palette().fill(letters);
      await page.getByRole('option', { name: found }).first().waitFor();
      await palette().press('Escape');
      await palette().waitFor({ state: 'detached' });
    }
    await page.keyboard.press('Control+k');
    await palette().fill('packing');
    await palette().press('Enter');
    await heading('Packing list for the kitchen');
    // What was used lately stands first.
    await page.keyboard.press('Control+k');
    await page.getByRole('option').first().waitFor();
    await palette().fill('');
    await palette().press('Escape');
    await go(page, `#/c/${ids.talk}`);
    await page.keyboard.press('Control+k');
    await page.getByRole('option', { name: /Packing list/ }).waitFor();
    assert.match(await page.getByRole('option').first().innerText(), /Packing list/);
    await palette().press('Escape');
  });

  test('Enter that ends a composition chooses nothing in the palette', async () => {
    const at = page.url();
    await page.keyboard.press('Control+k');
    await palette().focus();
    await compose(page, 'niangao', '年糕');
    await page.getByRole('option', { name: /年糕换粮记录/ }).waitFor();
    assert.equal(page.url(), at);
    await palette().press('Enter');
    await heading('年糕换粮记录');
    await go(page, `#/c/${ids.talk}`);
  });

  test('what an answer, the composer and the window can do is in the palette', async () => {
    await page.locator('article.answer').first().waitFor();
    const choose = async (name) => {
      await page.keyboard.press('Control+k');
      await palette().fill(name);
      await page.getByRole('option', { name }).first().waitFor();
      await palette().press('Enter');
      await palette().waitFor({ state: 'detached' });
    };
    await choose('Copy the last answer');
    await page.waitForFunction(async () => /keys/.test(await navigator.clipboard.readText()));
    await choose('What fills the context window');
    await page.locator('.ctx table').waitFor();
    await page.keyboard.press('Escape');
    await Promise.all([page.waitForEvent('filechooser'), choose('Attach files')]);
    await choose('Rename the conversation');
    await page.getByRole('dialog').getByRole('textbox').waitFor();
    await page.keyboard.press('Escape');
    await choose('Answer again');
    await page.getByText('2 of 2').last().waitFor();
    await answered(page, 2);
  });

  test('the arrow keys choose in the palette, and a screen reader is told', async () => {
    await page.keyboard.press('Control+k');
    await palette().waitFor();
    const first = await palette().getAttribute('aria-activedescendant');
    await palette().press('ArrowDown');
    const second = await palette().getAttribute('aria-activedescendant');
    assert.notEqual(second, first);
    assert.equal(await page.locator(`#${second}`).getAttribute('aria-selected'), 'true');
    await palette().press('ArrowUp');
    await palette().press('ArrowUp'); // round to the last
    const last = await palette().getAttribute('aria-activedescendant');
    assert.equal(await page.locator(`#${last}`).evaluate((e) => e.nextElementSibling), null);
    await palette().press('Escape');
  });

  test('places, back and forward have keys', async () => {
    await page.keyboard.press('Control+,');
    await heading('Settings');
    await page.keyboard.press('Alt+4');
    await heading('Agents');
    await page.keyboard.press('Alt+2');
    await heading('Memory');
    await page.keyboard.press('Alt+3');
    await heading('Activity');
    await page.keyboard.press('Alt+ArrowLeft');
    await heading('Memory');
    await page.keyboard.press('Alt+ArrowLeft');
    await heading('Agents');
    await page.keyboard.press('Alt+ArrowRight');
    await heading('Memory');
    await page.keyboard.press('Alt+1');
    await page.locator('article.answer').first().waitFor();
  });

  test('the list of keys has every shortcut, and characters are written where one writes', async () => {
    await page.locator('#composer').fill('');
    await page.locator('#composer').press('?');
    await page.locator('#composer').press('/');
    assert.equal(await page.locator('#composer').inputValue(), '?/');
    await page.locator('#composer').fill('');
    await page.locator('#composer').blur();
    await page.keyboard.press('?');
    const list = page.getByRole('dialog', { name: 'List of keys' });
    await list.waitFor();
    for (const name of ['Find an action or a place', 'Back', 'Find in the conversation', 'Larger text', 'Send']) {
      await list.getByText(name, { exact: true }).waitFor();
    }
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });
  });

  test('the places and the panel fold away and come back, and it is remembered', async () => {
    const nav = page.getByRole('navigation', { name: 'Places' });
    await page.keyboard.press('Control+b');
    await nav.getByRole('link', { name: /Packing/ }).waitFor({ state: 'hidden' });
    await page.keyboard.press('Control+.');
    await page.locator('aside.panel').waitFor({ state: 'hidden' });
    await page.reload();
    await page.locator('#composer').waitFor();
    assert.equal(await page.locator('aside.panel').isVisible(), false);
    await page.keyboard.press('Control+.');
    await page.keyboard.press('Control+b');
    await nav.getByRole('link', { name: /Packing/ }).waitFor();
    await page.locator('aside.panel').waitFor();
  });

  test('Escape stops an answer from wherever the focus is', async () => {
    await go(page, '#/new');
    await say(page, '[[slow 60]] [[long 200]]');
    await page.locator('article.answer li').nth(1).waitFor();
    await page.getByRole('link', { name: 'Settings' }).focus();
    await page.keyboard.press('Escape');
    await page.locator('article.answer[aria-busy="false"]').getByText('Stopped by you').waitFor();
  });

  test('the focus is never lost: what had it and goes hands it on', async () => {
    await go(page, '#/agents');
    await page.getByRole('button', { name: 'Clone' }).click();
    await page.locator('main').getByRole('button', { name: 'Cancel' }).click();
    await page.waitForFunction(() => document.activeElement !== document.body);
    await page.getByRole('button', { name: 'Detach human' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Detach human' }).waitFor({ state: 'detached' });
    await page.waitForFunction(() => document.activeElement !== document.body);
    await undo(page, 'human was detached.');
    await page.waitForFunction(() => document.activeElement !== document.body);
    await page.getByRole('button', { name: 'Detach human' }).waitFor();
  });

  test('the focus is seen on everything that Tab reaches', async () => {
    for (const hash of [`#/c/${ids.talk}`, '#/agents', '#/settings', '#/memory', '#/activity']) {
      await go(page, hash);
      await settled(page);
      await page.evaluate(() => document.activeElement?.blur());
      const dark = [];
      for (let i = 0; i < 60; i++) {
        await page.keyboard.press('Tab');
        const seen = await page.evaluate(() => {
          const e = document.activeElement;
          if (!e || e === document.body) return 'end';
          const ring = (x) => getComputedStyle(x).outlineStyle !== 'none' && getComputedStyle(x).outlineWidth !== '0px';
          const box = e.getBoundingClientRect();
          const shown = ring(e) || (e.parentElement && ring(e.parentElement)) || e.closest('.box:focus-within');
          return shown && box.width > 0 ? '' : e.outerHTML.slice(0, 120);
        });
        if (seen === 'end') break;
        if (seen) dark.push(seen);
      }
      assert.deepEqual(dark, [], hash);
    }
  });

  test('nothing went wrong in the page meanwhile', () => assert.deepEqual(page.faults, []));
});

describe('movement', () => {
  test('takes 250 ms at most and never loops; none is left where less of it is wished for', async () => {
    const page = await world.page({ path: `#/c/${ids.talk}` });
    await page.locator('article.answer').first().waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
    assert.deepEqual(await motions(page), []);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    const lively = await motions(page);
    assert.ok(
      lively.some(([what]) => what.startsWith('DIALOG')),
      lively.join('\n'),
    );
    assert.deepEqual(
      lively.filter(([, ms]) => ms > 250),
      [],
    );
    assert.deepEqual(page.faults, []);
    await page.context().close();
  });
});

describe('addresses', () => {
  test('every page, filter and message has one, which a new window opens', async () => {
    const { messages } = await world.api('GET', `/conversations/${ids.talk}/messages`);
    for (const [hash, sign] of [
      [`#/c/${ids.talk}?m=${messages[0].id}`, (p) => p.locator('article.user').first()],
      ['#/memory/archive?q=Comet', (p) => p.locator('main').getByText('Comet is at the bike shop').first()],
      ['#/activity', (p) => p.getByRole('heading', { name: 'Activity', level: 1 })],
      [`#/agents/${agent.id}`, (p) => p.locator('main').getByRole('heading', { name: 'Wren' })],
      ['#/settings', (p) => p.getByRole('heading', { name: 'Settings', level: 1 })],
      ['#/new', (p) => p.getByRole('heading', { name: 'Write to Wren' })],
    ]) {
      const page = await world.page({ path: hash });
      await sign(page).waitFor();
      assert.equal(new URL(page.url()).hash, hash);
      assert.deepEqual(page.faults, []);
      await page.context().close();
    }
  });

  test('back and forward return to where one was, with what was read', async () => {
    const page = await world.page({ path: `#/c/${ids.talk}` });
    await page.locator('article.answer').first().waitFor();
    const nav = page.getByRole('navigation', { name: 'Places' });
    await nav.getByRole('link', { name: /年糕换粮记录/ }).click();
    await page.getByRole('heading', { name: '年糕换粮记录', level: 1 }).waitFor();
    await nav.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: '年糕换粮记录', level: 1 }).waitFor();
    await page.goBack();
    await page.locator('article.answer').first().waitFor();
    await page.goForward();
    await page.goForward();
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
    assert.match(await page.title(), /^Settings/);
    assert.deepEqual(page.faults, []);
    await page.context().close();
  });
});

describe('screen reader', () => {
  let page;
  before(async () => {
    page = await world.page({ path: `#/c/${ids.talk}` });
    await page.locator('article.answer').nth(1).waitFor();
  });
  after(() => page.context().close());

  test('the parts of the page are landmarks with names, under one heading', async () => {
    const tree = await page.locator('body').ariaSnapshot();
    for (const part of [
      /- navigation "Places"/,
      /- main:/,
      /- complementary "Memory"/,
      /- contentinfo:/,
      /- log "Messages"/,
    ]) {
      assert.match(tree, part);
    }
    assert.equal(await page.locator('h1').count(), 1);
  });

  test('the column of places reads as it looks', async () => {
    const nav = page.getByRole('navigation', { name: 'Places' });
    await nav.getByRole('button', { name: /^Archived/ }).waitFor();
    const tree = await nav.ariaSnapshot();
    for (const line of [
      /button "Agent: Wren"/,
      /link "Chat"/,
      /link "Settings"/,
      /heading "Conversations" \[level=2\]/,
      /heading "Pinned" \[level=3\]/,
      /list "Pinned"/,
      /button "Actions for 年糕换粮记录"/,
      /button "Archived 1"/,
      /button "Search conversations"/,
    ]) {
      assert.match(tree, line);
    }
  });

  test('an answer is told once, when it is there, and not word by word', async () => {
    await go(page, '#/new');
    await page.locator('.empty').waitFor();
    await page.evaluate(() => {
      globalThis.heard = [];
      const live = [...document.querySelectorAll('[aria-live]:not([aria-live=off]), [role=status], [role=alert]')];
      new MutationObserver((records) => {
        for (const { target } of records) {
          const region = (target.nodeType === Node.TEXT_NODE ? target.parentElement : target)?.closest(
            '[aria-live], [role=status], [role=alert], [role=log]',
          );
          if (region && region.getAttribute('aria-live') !== 'off' && region.textContent.trim()) {
            globalThis.heard.push(region.textContent.trim());
          }
        }
      }).observe(document.body, { subtree: true, childList: true, characterData: true });
      return live.length;
    });
    await say(page, '[[slow 20]] [[say One two three four five six seven eight nine ten.]]');
    await answered(page, 1);
    await page.waitForFunction(() => globalThis.heard.some((t) => /nine ten/.test(t)));
    await page.waitForTimeout(600); // whatever would repeat it has had its time
    const told = (await page.evaluate(() => globalThis.heard)).filter((t) => /One two/.test(t));
    assert.equal(told.length, 1, told.join('\n'));
    assert.match(told[0], /^Answer complete/);
  });

  test('nothing went wrong in the page meanwhile', () => assert.deepEqual(page.faults, []));
});

test('the built page carries no address of another host', () => {
  const dist = new URL('../frontend/dist/', import.meta.url);
  for (const file of readdirSync(dist, { recursive: true, withFileTypes: true })) {
    if (!file.isFile()) continue;
    const text = readFileSync(join(file.parentPath ?? file.path, file.name), 'utf8');
    // Names of XML vocabularies look like addresses; nothing is fetched from them.
    const addresses = [...text.matchAll(/https?:\/\/[\w.-]+/g)].map((m) => m[0]);
    assert.deepEqual(
      addresses.filter((a) => a !== 'http://www.w3.org'),
      [],
      file.name,
    );
  }
});

test('a web view under LANG=C, whose locale Intl refuses, shows the page', async () => {
  const page = await world.page({ path: `#/c/${ids.talk}` });
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'language', { get: () => 'C' });
    Object.defineProperty(navigator, 'languages', { get: () => ['C'] });
  });
  await page.reload();
  await page.locator('article.answer').first().waitFor();
  assert.deepEqual(page.faults, []);
  await page.context().close();
});
