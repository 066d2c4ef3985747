import { afterEach, describe, expect, it, vi } from 'vitest';
import { menu, menuKeys } from '../src/lib/menu';
import {
  carriesFiles,
  checksSpelling,
  droppedFiles,
  notificationState,
  notify,
  openFiles,
  saveFile,
} from '../src/lib/platform';
import { nextSize, textSizes } from '../src/lib/zoom';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  delete window.runtime;
});

const inWindow = () => (window.runtime = { EventsOn: () => undefined });
const onLinux = () =>
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/605.1.15');

/** Answers requests with the given bodies, by path. */
function answer(bodies: Record<string, unknown>) {
  const asked: { path: string; body: unknown }[] = [];
  vi.stubGlobal('fetch', (path: string, { body }: RequestInit) => {
    asked.push({ path, body: typeof body === 'string' ? JSON.parse(body) : undefined });
    const known = bodies[path];
    return Promise.resolve(
      new Response(known === undefined ? null : JSON.stringify(known), { status: known === undefined ? 204 : 200 }),
    );
  });
  return asked;
}

describe('the size of text', () => {
  it('goes through the sizes and stays at the ends', () => {
    expect(nextSize(100, 1)).toBe(110);
    expect(nextSize(100, -1)).toBe(90);
    expect(nextSize(105, 1)).toBe(110); // set by something else
    expect(nextSize(textSizes.at(-1) ?? 0, 1)).toBe(200);
    expect(nextSize(80, -1)).toBe(80);
  });
});

describe('the menu bar', () => {
  it('writes shortcuts as the shell does', () => {
    expect(menuKeys('Mod+Shift+O')).toBe('cmdorctrl+shift+o');
    expect(menuKeys('Alt+ArrowLeft')).toBe('optionoralt+left');
    expect(menuKeys('Mod++')).toBe('');
    expect(menuKeys('?')).toBe('');
    expect(menuKeys(undefined)).toBe('');
  });
  it('has every action that names a menu, once', () => {
    const items = menu().groups.flatMap((group) => group.items);
    expect(items.length).toBeGreaterThan(10);
    expect(new Set(items.map((item) => item.id)).size).toBe(items.length);
    expect(items.every((item) => item.label !== '')).toBe(true);
  });
});

describe('files', () => {
  it('are chosen with a field of the page, or not', async () => {
    const field = vi.spyOn(HTMLInputElement.prototype, 'click').mockImplementation(function (this: HTMLInputElement) {
      Object.defineProperty(this, 'files', { value: [new File(['tea'], 'tea.txt')] });
      this.dispatchEvent(new Event(this.multiple ? 'change' : 'cancel'));
    });
    expect((await openFiles({ accept: '.txt', multiple: true })).map((file) => file.name)).toEqual(['tea.txt']);
    expect(await openFiles()).toEqual([]);
    expect(field).toHaveBeenCalledTimes(2);
  });
  it('are saved by the window where the user says', async () => {
    inWindow();
    const asked = answer({ '/api/save': { path: '/files/chat.md' } });
    expect(await saveFile('chat.md', '# Tea')).toBe(true);
    expect(asked).toEqual([{ path: '/api/save', body: { name: 'chat.md', text: '# Tea' } }]);
    answer({ '/api/save': { path: '' } });
    expect(await saveFile('chat.md', '# Tea')).toBe(false);
  });
  it('that are dropped come from the event, or from the window where that hides them', async () => {
    const event = (files: File[], types: string[]) => ({ dataTransfer: { files, types } }) as unknown as DragEvent;
    const [seen] = await droppedFiles(event([new File(['a'], 'a.txt')], ['Files']));
    expect(seen?.name).toBe('a.txt');
    expect(await droppedFiles(event([], ['text/uri-list']))).toEqual([]);
    expect(carriesFiles(event([], ['text/uri-list']))).toBe(false); // a link
    inWindow();
    answer({ '/api/dropped': { files: [{ name: 'b.txt', path: '/b.txt', bytes: 7, data: 'dGVhIOiMtg==' }] } });
    const [hidden] = await droppedFiles(event([], ['text/uri-list']));
    expect(hidden?.name).toBe('b.txt');
    const text = await new Promise((resolve) => {
      const reader = new FileReader();
      reader.addEventListener('load', () => resolve(reader.result));
      reader.readAsText(hidden as File);
    });
    expect(text).toBe('tea 茶');
    expect(carriesFiles(event([], ['text/uri-list']))).toBe(true);
  });
});

describe('notifications', () => {
  it('are shown by the window only while it is not in front', async () => {
    inWindow();
    const asked = answer({});
    const front = vi.spyOn(document, 'hasFocus').mockReturnValue(true);
    await notify('Done', 'Tea', '#/c/1');
    expect(asked).toEqual([]);
    front.mockReturnValue(false);
    await notify('Done', 'Tea', '#/c/1');
    expect(asked).toEqual([{ path: '/api/notify', body: { title: 'Done', body: 'Tea', route: '#/c/1' } }]);
  });
  it('are shown by a browser once it may, and a click leads to the conversation', async () => {
    vi.spyOn(document, 'hasFocus').mockReturnValue(false);
    const shown: EventTarget[] = [];
    class Fake extends EventTarget {
      static permission = 'default';
      constructor() {
        super();
        shown.push(this);
      }
      close = () => undefined;
    }
    vi.stubGlobal('Notification', Fake);
    await notify('Done', '', '#/settings');
    expect(notificationState()).toBe('ask');
    expect(shown).toEqual([]);
    Fake.permission = 'granted';
    await notify('Done', '', '#/settings');
    vi.spyOn(window, 'focus').mockImplementation(() => undefined);
    shown[0]?.dispatchEvent(new Event('click'));
    expect(location.hash).toBe('#/settings');
  });
});

describe('spelling', () => {
  it('is not checked in the window where its dictionaries know nothing', () => {
    expect(checksSpelling('我的猫')).toBe(true); // browsers know better
    inWindow();
    onLinux();
    expect(checksSpelling('a mistaek')).toBe(true);
    expect(checksSpelling('a cat, 我的猫')).toBe(false);
  });
});
