// Where the user is: in the fragment of the address, so that links, back and forward work.
//   #/c/CONVERSATION?m=MESSAGE   #/new   #/memory/archive?q=…   #/memory/documents/ID?page=…   #/activity?…
//   #/context?in=CONVERSATION   #/context/compactions/ID   #/agents/ID   #/settings/SECTION

export const places = ['chat', 'memory', 'activity', 'context', 'agents', 'settings'] as const;
export type PlaceName = (typeof places)[number];

export interface Route {
  place: PlaceName;
  /** Chat: the conversation, '' for a new one. Elsewhere: the part of the page, '' for its beginning. */
  id?: string;
  /** One thing on that part of the page. */
  item?: string;
  /** What the page shows of it: a search, a filter, a message to go to. Empty values are left out of the address. */
  query?: Readonly<Record<string, string>>;
  /** A new conversation was asked for, rather than the page just opened. */
  fresh?: boolean;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return ''; // nothing is called that, and the server would not take it
  }
}

export function parseRoute(hash: string): Required<Route> {
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const [first = '', second = '', third = ''] = path.split('/');
  const query = Object.fromEntries(new URLSearchParams(search));
  const id = decode(second);
  const place = places.find((name) => name === first && name !== 'chat');
  if (place) return { place, id, item: decode(third), query, fresh: false };
  if (first === 'c' && id) return { place: 'chat', id, item: '', query, fresh: false };
  return { place: 'chat', id: '', item: '', query, fresh: first === 'new' };
}

export function href({ place, id = '', item = '', query = {} }: Route): string {
  const given = Object.entries(query).filter(([, value]) => value !== '');
  const search = given.length > 0 ? `?${new URLSearchParams(given).toString()}` : '';
  if (place === 'chat') return (id ? `#/c/${encodeURIComponent(id)}` : '#/new') + search;
  const path = [place, id, item].filter(Boolean).map(encodeURIComponent).join('/');
  return `#/${path}${search}`;
}

class CurrentRoute {
  #now = $state.raw(parseRoute(location.hash));
  #chat = $state<string | undefined>(this.#now.place === 'chat' ? this.#now.id : undefined);

  get place() {
    return this.#now.place;
  }
  get id() {
    return this.#now.id;
  }
  get item() {
    return this.#now.item;
  }
  get query(): Readonly<Record<string, string>> {
    return this.#now.query;
  }
  get fresh() {
    return this.#now.fresh;
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
addEventListener('popstate', () => route.read());

/** Goes there. `replace`: Back does not return to where the user was, as for each letter of a search. */
export function navigate(to: Route, replace = false): void {
  if (replace) history.replaceState(null, '', href(to));
  else history.pushState(null, '', href(to));
  route.read();
}
