// What differs between the desktop window (a web view with the Wails runtime) and a browser.
import type { Chosen, Dropped, FileKind } from './api.gen';
import { http } from './http';

interface WailsRuntime {
  EventsOn(name: string, callback: (...data: unknown[]) => void): void;
  ClipboardSetText?(text: string): Promise<boolean>;
}

declare global {
  interface Window {
    runtime?: WailsRuntime;
  }
}

export const isDesktop = (): boolean => typeof window.runtime?.EventsOn === 'function';

/** The window on Linux, whose view has faults and gifts that browsers have not. */
export const isWebKitGTK = (): boolean => isDesktop() && navigator.userAgent.includes('Linux');

/** Opens a web address outside the page. In the window the Go side does it, after its allow-list. */
export function openLink(url: string): void {
  if (isDesktop()) void http.post('/open', { url }).catch(() => undefined);
  else window.open(url, '_blank', 'noopener,noreferrer');
}

export async function copyText(text: string): Promise<boolean> {
  try {
    if (isDesktop() && window.runtime?.ClipboardSetText) return await window.runtime.ClipboardSetText(text);
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Lets the user choose files whose content the page reads; none when they choose nothing. `accept` is that of a file
 * field, such as ".txt,.md,image/*". Web views show the system's own dialog.
 */
export function openFiles(options: { accept?: string; multiple?: boolean } = {}): Promise<File[]> {
  const field = document.createElement('input');
  field.type = 'file';
  field.accept = options.accept ?? '';
  field.multiple = options.multiple ?? false;
  return new Promise((resolve) => {
    field.addEventListener('change', () => resolve([...(field.files ?? [])]));
    field.addEventListener('cancel', () => resolve([]));
    field.click();
  });
}

/**
 * The files of a drop event; WebKitGTK tells the page of the drop but not of the files. The event's default must have
 * been prevented.
 */
export async function droppedFiles(event: DragEvent): Promise<File[]> {
  const files = [...(event.dataTransfer?.files ?? [])];
  if (files.length > 0 || !isDesktop()) return files;
  const { files: dropped } = await http.post<Dropped>('/dropped');
  return dropped.map(({ name, data }) => new File([Uint8Array.from(atob(data), (c) => c.charCodeAt(0))], name));
}

/**
 * Whether the spelling of a text is to be checked. The dictionaries of WebKitGTK take every Chinese, Japanese or Korean
 * word for a mistake.
 */
export function checksSpelling(text: string): boolean {
  return !isWebKitGTK() || !/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u.test(text);
}

/** Whether a drag event carries files, so that the page can show where they may be dropped. */
export function carriesFiles(event: DragEvent): boolean {
  const types = event.dataTransfer?.types ?? [];
  return types.includes('Files') || (isDesktop() && types.includes('text/uri-list'));
}

/**
 * Lets the user choose a file or folder that the app itself reads, which may be larger than a page can hold; "" when they
 * choose nothing. Only the window has such a dialog: elsewhere ask `canChoosePath` and offer a field for the path, or, for
 * a model, `openFiles` and an upload.
 */
export async function choosePath(kind: FileKind): Promise<string> {
  return (await http.post<Chosen>('/choose', { kind })).path;
}

export const canChoosePath = isDesktop;

/** Saves text as a file where the user says, in a browser among its downloads. False when the user chose nothing. */
export async function saveFile(name: string, text: string): Promise<boolean> {
  if (isDesktop()) return (await http.post<Chosen>('/save', { name, text })).path !== '';
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
  return true;
}

/** Whether the system would show notifications now; "ask" where the user has not been asked yet. */
export function notificationState(): 'yes' | 'ask' | 'no' {
  if (isDesktop()) return 'yes';
  if (typeof Notification === 'undefined' || Notification.permission === 'denied') return 'no';
  return Notification.permission === 'granted' ? 'yes' : 'ask';
}

/** Has the browser ask the user. Only from a click. */
export async function allowNotifications(): Promise<boolean> {
  return isDesktop() || (await Notification.requestPermission()) === 'granted';
}

/**
 * Tells the user that long work has ended, if the window is not in front and the setting allows it. A click brings the
 * window there.
 */
export async function notify(title: string, body: string, route: string): Promise<void> {
  if (document.hasFocus() || notificationState() !== 'yes') return;
  if (isDesktop()) {
    await http.post('/notify', { title: title.slice(0, 200), body: body.slice(0, 200), route }).catch(() => undefined);
    return;
  }
  const shown = new Notification(title, { body, tag: route });
  shown.addEventListener('click', () => {
    window.focus();
    location.hash = route;
    shown.close();
  });
}

/** In the window: the menu bar of the system asks for an action of the page. */
export function followMenu(run: (id: string) => void): void {
  window.runtime?.EventsOn('run', (id) => {
    if (typeof id === 'string') run(id);
  });
}

/** In the window: a click on a notification leads to its route. */
export function followNotifications(): void {
  window.runtime?.EventsOn('go', (route) => {
    if (typeof route === 'string') location.hash = route;
  });
}

/** Tells the watchdog of the desktop window that the page is alive; does nothing in a browser. */
export function reportAlive(): void {
  if (!isDesktop()) return;
  void http.post('/ui/ready').catch(() => undefined);
  setInterval(() => void http.post('/ui/heartbeat').catch(() => undefined), 5000);
}

/** In a browser the link carries the token in its fragment: it becomes a cookie and leaves the address. */
export async function redeemToken(): Promise<void> {
  const match = /^#token=(.+)$/.exec(location.hash);
  if (!match?.[1]) return;
  history.replaceState(null, '', location.pathname + location.search);
  await http.post('/session', { token: decodeURIComponent(match[1]) });
}
