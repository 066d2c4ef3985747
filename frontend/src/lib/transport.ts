// The push channel: numbered events from the bus, through Wails in the window and through SSE in a browser.
import { isDesktop } from './platform';
import type { BusEvent } from './api.gen';

export interface FeedHandlers {
  /** Some events, in the order of their numbers. */
  events(events: BusEvent[]): void;
  /** Events may have been missed, or the other side is a new process: a snapshot is needed. */
  resync(): void;
  /** Whether the other side can be heard. */
  connected(yes: boolean): void;
}

const RETRY_MS = [500, 1000, 2000, 5000, 10000];

export function openFeed(handlers: FeedHandlers): void {
  if (isDesktop()) openWails(handlers);
  else openEventSource(handlers);
}

function openWails(handlers: FeedHandlers): void {
  // Subscribed once and never taken back: Wails 2.9 loses listeners that come and go.
  window.runtime?.EventsOn('bus', (batch) => handlers.events(batch as BusEvent[]));
  handlers.connected(true);
  handlers.resync();
}

function openEventSource(handlers: FeedHandlers): void {
  let attempt = 0;

  const connect = () => {
    const source = new EventSource('/api/events');
    source.addEventListener('open', () => {
      attempt = 0;
      handlers.connected(true);
      // The snapshot is taken after the stream is open, so that nothing falls between the two.
      handlers.resync();
    });
    source.addEventListener('bus', (message) => {
      handlers.events([JSON.parse((message as MessageEvent<string>).data) as BusEvent]);
    });
    source.addEventListener('reset', () => handlers.resync());
    source.addEventListener('error', () => {
      handlers.connected(false);
      if (source.readyState !== EventSource.CLOSED) return; // it tries again by itself
      source.close();
      handlers.resync(); // refused: it tells why, such as the link of a server that has been started anew
      setTimeout(connect, RETRY_MS[Math.min(attempt++, RETRY_MS.length - 1)]);
    });
  };
  connect();
}
