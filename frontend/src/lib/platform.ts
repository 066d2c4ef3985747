// What differs between the desktop window (a web view with the Wails runtime) and a browser.
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
