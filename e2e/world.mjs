// A whole Recollect for browser tests: the fake engine, `recollect serve` over a fresh data folder, and Chromium.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const root = fileURLToPath(new URL('..', import.meta.url));
export const out = join(root, 'e2e/out');
mkdirSync(out, { recursive: true });

const axe = readFileSync(new URL('./node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');

const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Ends a wait for what never comes. It says nothing of how fast things are: a busy machine is many times slower. */
const PATIENCE = 30_000;

/** Builds a Go program of this repository and returns its path; `given` is one that was built before. */
function program(name, pkg, given) {
  if (given) return given;
  const path = join(out, name);
  if (!existsSync(join(root, 'frontend/dist/index.html'))) {
    throw new Error('the page is not built: run `npm run build` in frontend/ first');
  }
  execFileSync('go', ['build', '-o', path, pkg], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, CGO_ENABLED: '0' },
  });
  return path;
}

/** Starts a program and resolves with it and with the first line it prints that matches. */
async function start(path, args, env, pattern) {
  const child = spawn(path, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const match = pattern.exec(line);
    if (match) {
      child.stdout.resume();
      return { child, found: match[0] };
    }
  }
  throw new Error(`${path} ended before it was ready`);
}

async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

/**
 * Stands before the fake engine and lets plain sentences have scripted answers: `script` maps what the user says to
 * directives of the fake. Resolves with its address.
 */
async function prompter(upstream, script) {
  const server = createServer(async (request, response) => {
    const pieces = [];
    for await (const piece of request) pieces.push(piece);
    let body = Buffer.concat(pieces);
    if (request.url === '/api/chat') {
      const chat = JSON.parse(body.toString());
      const last = chat.messages.at(-1);
      for (const [said, directives] of Object.entries(script)) {
        if (last?.role === 'user' && last.content.includes(said)) last.content += ` ${directives}`;
      }
      body = Buffer.from(JSON.stringify(chat));
    }
    const headers = { ...request.headers, host: new URL(upstream).host };
    delete headers['content-length'];
    delete headers['transfer-encoding'];
    const left = new AbortController();
    response.on('close', () => left.abort());
    try {
      const answer = await fetch(upstream + request.url, {
        method: request.method,
        headers,
        body: body.length > 0 ? body : undefined,
        signal: left.signal,
      });
      response.writeHead(answer.status, {
        'Content-Type': answer.headers.get('content-type') ?? 'text/plain',
      });
      if (answer.body) for await (const piece of answer.body) response.write(piece);
      response.end();
    } catch {
      response.destroy(); // one of the two has gone
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  return `http://127.0.0.1:${server.address().port}`;
}

export class World {
  engines = [];

  /**
   * `fill`: messages of a long conversation, `passages`: passages of an archive that are there already; `database`: the
   * file that the app begins with.
   */
  static async open({ engine = [], script, fill = 0, passages = 0, database } = {}) {
    const world = new World();
    world.home = mkdtempSync(join(tmpdir(), 'recollect-e2e-'));
    world.bin = program('recollect', '.', process.env.RECOLLECT);
    const fake = program('fakeollama', './backend/engine/enginetest/fakeollama', process.env.FAKEOLLAMA);
    world.engine = await start(fake, ['--chunk-delay', '15ms', ...engine], {}, /http:\S+/);
    if (fill + passages > 0) {
      const filler = program('fill', './e2e/fill', process.env.FILL);
      execFileSync(filler, ['--home', world.home, '--messages', `${fill}`, '--passages', `${passages}`], {
        stdio: 'ignore',
      });
    }
    if (database) copyFileSync(database, join(world.home, 'recollect.db'));
    if (script) world.engine.found = await prompter(world.engine.found, script);
    await world.serve();
    world.browser = await chromium.launch({
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: flags,
    });
    return world;
  }

  /** Starts one more fake engine and returns its address; it ends with the world. */
  async anotherEngine(...args) {
    const fake = program('fakeollama', './backend/engine/enginetest/fakeollama', process.env.FAKEOLLAMA);
    const engine = await start(fake, args, {}, /http:\S+/);
    this.engines.push(engine.child);
    return engine.found;
  }

  /** Starts `recollect serve` over the data folder of this world; `this.link` opens the page. */
  async serve(addr = '127.0.0.1:0') {
    const env = { OLLAMA_HOST: this.engine.found };
    this.server = await start(this.bin, ['serve', '--home', this.home, '--addr', addr], env, /http:\S+/);
    this.link = this.server.found;
  }

  async stopServer() {
    await stop(this.server.child);
  }

  /** Ends the server as a crash would. */
  async killServer() {
    this.server.child.kill('SIGKILL');
    await once(this.server.child, 'exit');
  }

  /** Talks to the API as another window would. */
  async api(method, path, body) {
    const url = new URL(this.link);
    const response = await fetch(`${url.origin}/api${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${url.hash.slice('#token='.length)}`,
        'Content-Type': 'application/json',
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  }

  /** The same with a form. */
  async send(method, path, form) {
    const url = new URL(this.link);
    const response = await fetch(`${url.origin}/api${path}`, {
      method,
      headers: { Authorization: `Bearer ${url.hash.slice('#token='.length)}` },
      body: form,
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  }

  /** Sets the chat model, so that the page opens on the chat rather than on the first run. */
  async ready() {
    const { models } = await this.api('GET', '/models');
    const helper = models.find((m) => m.name.startsWith('helper'));
    const embedder = models.find((m) => m.embedding);
    await this.api('PATCH', '/settings', {
      model: helper.name,
      embedder: embedder.name,
      ui: { begun: true },
    });
    return (await this.api('GET', '/agents')).agents[0];
  }

  /** Opens the conversation that the world was filled with, in a window of the usual size, where something was just said. */
  async longTalk() {
    await this.api('PATCH', '/settings', { window: 32768 });
    const talk = (await this.api('GET', '/conversations')).conversations[0].id;
    const page = await this.page({ path: `/#/c/${talk}` });
    await page.locator('#composer').waitFor();
    await say(page, 'What is still open? [[say Nothing much.]]');
    await page.locator('article.answer[aria-busy="false"]', { hasText: 'Nothing much.' }).waitFor();
    return { page, talk };
  }

  /** Opens the page in a window of its own and returns it. Anything the page logs as an error fails `check()`. */
  async page({ width = 1440, height = 900, theme = 'light', language = 'en-US', path = '' } = {}) {
    const context = await this.browser.newContext({
      viewport: { width, height },
      colorScheme: theme,
      locale: language,
      reducedMotion: 'reduce',
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE);
    page.faults = [];
    page.on('pageerror', (error) => page.faults.push(error.message));
    page.on('console', (message) => {
      const expected = /Failed to load resource|net::ERR|EventSource/;
      if (message.type() === 'error' && !expected.test(message.text())) page.faults.push(message.text());
    });
    await page.goto(this.link);
    if (path !== '') await page.goto(new URL(path, this.link).href);
    return page;
  }

  async close() {
    await this.browser?.close();
    await stop(this.server.child);
    for (const child of [this.engine.child, ...this.engines]) await stop(child);
    rmSync(this.home, { recursive: true, force: true });
  }
}

/** The same for what takes long by itself, such as reading a book. */
export const long = { timeout: 6 * PATIENCE };

/** Asks until the answer is as `ok` wants it, and returns it: nobody tells us when it is. */
export async function until(ask, ok) {
  for (const end = Date.now() + PATIENCE; ; await new Promise((wake) => setTimeout(wake, 20))) {
    const answer = await ask();
    if (ok(answer)) return answer;
    if (Date.now() > end) throw new Error(`still ${JSON.stringify(answer)}`);
  }
}

/** Keeps what the page looks like in out/, to be looked at. */
export const shot = (page, name) => page.screenshot({ path: join(out, `${name}.png`) });

/** Writes a message and sends it with Enter. */
export async function say(page, text) {
  await page.locator('#composer').fill(text);
  await page.locator('#composer').press('Enter');
}

/**
 * Writes `text` with an input method into what has the focus: `letters` are composed, one state after the other where
 * there are several, and Enter chooses. The engine reports that Enter as a key press with code 229, with Control held down
 * where `control` says so; `late`: after the composition, as WebKit does.
 */
export async function compose(page, letters, text, { control = false, late = false } = {}) {
  const cdp = await page.context().newCDPSession(page);
  const enter = { key: 'Enter', code: 'Enter', modifiers: control ? 2 : 0 };
  const press = () => cdp.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', windowsVirtualKeyCode: 229, ...enter });
  for (const state of [letters].flat()) {
    const end = { selectionStart: state.length, selectionEnd: state.length };
    await cdp.send('Input.imeSetComposition', { text: state, ...end });
  }
  if (!late) await press();
  await cdp.send('Input.insertText', { text });
  if (late) await press();
  await cdp.send('Input.dispatchKeyEvent', { type: 'keyUp', windowsVirtualKeyCode: 13, ...enter });
  await page.waitForFunction((want) => document.activeElement.value.includes(want), text);
  await cdp.detach();
}

/** Until this is what was copied: the clipboard is not the page's, and is written a little later than it says. */
export const copied = (page, text) =>
  until(
    () => page.evaluate(() => navigator.clipboard.readText()),
    (now) => now === text,
  );

/** Takes back what a notice tells of, once it does: an older one may be there still, with an Undo of its own. */
export const undo = (page, said) =>
  page.locator('.toast', { hasText: said }).last().getByRole('button', { name: 'Undo' }).click();

/** The last answer, once it is complete. */
export async function answered(page, count) {
  const answers = page.locator('article.answer[aria-busy="false"]');
  if (count !== undefined) await answers.nth(count - 1).waitFor();
  return answers.last();
}

/**
 * What does not fit on the page, one line each: what reaches beyond the window, words that are cut off without a sign of
 * it or that stick out of their control, and controls that lie over each other.
 */
export async function misfits(page) {
  return page.evaluate(() => {
    const found = [];
    const root = document.documentElement;
    const name = (e) =>
      `${e.tagName.toLowerCase()}${e.id ? `#${e.id}` : ''}.${[...e.classList].filter((c) => !c.startsWith('svelte-')).join('.')} “${(e.getAttribute('aria-label') ?? e.textContent ?? '').trim().slice(0, 60)}”`;
    if (root.scrollWidth > root.clientWidth)
      found.push(`the page is ${root.scrollWidth - root.clientWidth} px too wide`);
    if (root.scrollHeight > root.clientHeight)
      found.push(`the page is ${root.scrollHeight - root.clientHeight} px too high`);
    const modal = document.querySelector('dialog[open]');
    const seen = [...(modal ?? document.body).querySelectorAll('*')].filter(
      (e) =>
        e.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true }) &&
        !e.closest('.sr, [inert], svg'),
    );
    const style = new Map(seen.map((e) => [e, getComputedStyle(e)]));
    /** The nearest element around it that scrolls or cuts sideways. */
    const frame = (e) => {
      for (let p = e.parentElement; p; p = p.parentElement) {
        const s = getComputedStyle(p);
        if (s.overflowX !== 'visible') return p;
        if (s.position === 'fixed') return null;
      }
      return null;
    };
    /** What is open over the page lies over what is under it on purpose. */
    const layer = (e) => {
      for (let p = e; p; p = p.parentElement) if (getComputedStyle(p).zIndex !== 'auto') return p;
      return null;
    };
    for (const e of seen) {
      const s = style.get(e);
      const box = e.getBoundingClientRect();
      if (box.width === 0 || box.height === 0) continue;
      if (!frame(e) && (box.left < -1 || box.right > innerWidth + 1)) found.push(`outside the window: ${name(e)}`);
      const own = [...e.childNodes].some((n) => n.nodeType === Node.TEXT_NODE && n.textContent.trim() !== '');
      const wide = e.scrollWidth - e.clientWidth;
      if (wide > 1 && s.display !== 'inline') {
        const shows = s.textOverflow === 'ellipsis' || ['auto', 'scroll'].includes(s.overflowX);
        const field = e.matches('input, textarea, select');
        if (own && !shows && !field) found.push(`${wide} px of the words are cut off: ${name(e)}`);
        else if (e.matches('button, a.btn, .btn') && !shows) found.push(`${wide} px stick out of ${name(e)}`);
        else if (['auto', 'scroll'].includes(s.overflowX) && !e.matches('pre, .table, [data-wide], code, .diff')) {
          found.push(`scrolls sideways by ${wide} px: ${name(e)}`);
        }
      }
    }
    const controls = seen
      .filter((e) => e.matches('button, a[href], input, select, textarea, summary'))
      .map((e) => ({ e, box: e.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 0 && box.height > 0);
    for (const [i, a] of controls.entries()) {
      for (const b of controls.slice(i + 1)) {
        if (a.e.contains(b.e) || b.e.contains(a.e) || layer(a.e) !== layer(b.e)) continue;
        const width = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
        const height = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
        if (width < 3 || height < 3) continue;
        // Only one that is really hit in the place where they meet: what is scrolled away or behind is no matter.
        const x = Math.max(a.box.left, b.box.left) + width / 2;
        const y = Math.max(a.box.top, b.box.top) + height / 2;
        const hits = document.elementsFromPoint(x, y);
        if (hits.includes(a.e) && hits.includes(b.e)) found.push(`${name(a.e)} lies over ${name(b.e)}`);
      }
    }
    return found;
  });
}

/** Every violation axe finds, one line each. */
export async function violations(page) {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { violations } = await globalThis.axe.run(document, {
      resultTypes: ['violations'],
    });
    return violations.flatMap((v) => v.nodes.map((n) => `${v.id}: ${n.target.join(' ')} ${n.failureSummary}`));
  });
}
