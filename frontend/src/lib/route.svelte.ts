// Where the user is: in the fragment of the address, so that links, back and forward work.

export interface Route {
  place: 'chat' | 'settings';
  /** Conversation, '' for a new one. */
  id: string;
  /** A new conversation was asked for, rather than the page just opened. */
  fresh?: boolean;
}

export function parseRoute(hash: string): Route {
  const [place, id] = hash.replace(/^#\/?/, '').split('/');
  if (place === 'settings') return { place: 'settings', id: '' };
  if (place === 'c' && id) return { place: 'chat', id: decodeURIComponent(id) };
  return { place: 'chat', id: '', fresh: place === 'new' };
}

export function href(to: Route): string {
  if (to.place === 'settings') return '#/settings';
  return to.id ? `#/c/${encodeURIComponent(to.id)}` : '#/new';
}

class CurrentRoute {
  #now = $state.raw<Route>(parseRoute(location.hash));
  #chat = $state<string | undefined>(this.#now.place === 'chat' ? this.#now.id : undefined);

  get place() {
    return this.#now.place;
  }
  get id() {
    return this.#now.id;
  }
  get fresh() {
    return this.#now.fresh ?? false;
  }
  /** The conversation that was read last; undefined where none was yet. */
  get chat() {
    return this.#chat;
  }
  read(): void {
    this.#now = parseRoute(location.hash);
    if (this.#now.place === 'chat') this.#chat = this.#now.id;
  }
}

export const route = new CurrentRoute();
addEventListener('hashchange', () => route.read());

export function navigate(to: Route, replace = false): void {
  if (replace) history.replaceState(null, '', href(to));
  else history.pushState(null, '', href(to));
  route.read();
}
