// The passages of an archive as the page shows them: the order of all, the texts of those that have been in sight.
import { untrack } from 'svelte';
import type { Passage, PassageIDs, Passages } from './api.gen';
import { latest } from './calls';
import { http } from './http';
import { WORDS_REST } from './pace';
import { allPassages, parameters, type PassageQuery } from './passages';

/** Texts that are fetched at once. */
const BATCH = 50;
const MOST_HITS = 100;

export class Archive {
  /** All that is shown, in order; null before the first answer. */
  ids = $state.raw<readonly string[] | null>(null);
  /** What these answer: the query on its way may be another one. */
  answered = $state.raw<PassageQuery>(allPassages);
  passages = $state.raw<ReadonlyMap<string, Passage>>(new Map());
  /** What meaning found and words did not: it stands at the end. */
  meant = $state.raw<ReadonlySet<string>>(new Set());
  /** The search by meaning is under way. */
  joining = $state(false);

  readonly #asking = latest();
  #asked = new Set<string>();
  /** Ends the wait of a search for its words to rest. */
  #wake = () => {};

  /** Shows what the query asks for; the same again fetches what has changed. */
  async load(agent: string, query: PassageQuery, meaning: boolean): Promise<void> {
    const current = this.#asking();
    this.#wake(); // who waits for that search to end is not to wait for ever
    this.#asked.clear();
    this.joining = false;
    if (query.passage !== '') {
      const [one] = await this.fetch([query.passage]);
      if (!current()) return;
      if (one) this.#take([one]);
      this.meant = new Set();
      this.#show(query, one ? [one.id] : []);
      return;
    }
    const filter = parameters(agent, query);
    if (query.q.trim() === '') {
      // The first page is there before the list of all is; what is known already is shown until then.
      const first = this.ids === null ? http.get<Passages>(`/passages?${filter.toString()}&limit=${BATCH}`) : undefined;
      const all = http.get<PassageIDs>(`/passages/ids?${filter.toString()}`);
      const page = await first;
      if (!current()) return;
      if (page) {
        this.#take(page.passages);
        this.#show(
          query,
          page.passages.map((p) => p.id),
        );
      }
      const { ids } = await all;
      if (!current()) return;
      this.meant = new Set();
      this.#show(query, ids);
      return;
    }
    filter.set('query', query.q.trim());
    filter.set('limit', String(MOST_HITS));
    const found = await this.#search(`/passages?${filter.toString()}&by=words`, current);
    if (!found) return;
    this.meant = new Set();
    this.#show(query, found);
    if (!meaning) return;
    this.joining = true;
    await this.#rests();
    if (!current()) return;
    const joined = await this.#search(`/passages?${filter.toString()}`, current).finally(() => {
      if (current()) this.joining = false;
    });
    if (!joined) return;
    // What is being read does not move: what meaning adds comes behind it.
    const more = joined.filter((id) => !found.includes(id));
    this.meant = new Set(more);
    this.#show(query, [...found, ...more]);
  }

  #rests(): Promise<void> {
    return new Promise((wake) => {
      const timer = setTimeout(wake, WORDS_REST);
      this.#wake = () => {
        clearTimeout(timer);
        wake();
      };
    });
  }

  #show(query: PassageQuery, ids: readonly string[]): void {
    this.answered = query;
    this.ids = ids;
  }

  /** The ids that a search finds, undefined where another one has begun since. */
  async #search(path: string, current: () => boolean): Promise<string[] | undefined> {
    const page = await http.get<Passages>(path);
    if (!current()) return undefined;
    this.#take(page.passages);
    return page.passages.map((p) => p.id);
  }

  #take(passages: readonly Passage[]): void {
    const known = new Map(untrack(() => this.passages));
    for (const passage of passages) {
      // An answer that was on its way while it was changed here tells of what it was.
      if ((known.get(passage.id)?.version ?? 0) <= passage.version) known.set(passage.id, passage);
      this.#asked.add(passage.id);
    }
    this.passages = known;
  }

  /** Puts a passage in that was just changed here. */
  put(passage: Passage): void {
    this.#take([passage]);
  }

  /** Fetches the texts of the rows in sight, where they are not there or may have changed. */
  async want(first: number, last: number): Promise<void> {
    const wanted = (untrack(() => this.ids) ?? []).slice(Math.max(0, first - 10), last + 11);
    const missing = wanted.filter((id) => !this.#asked.has(id));
    for (let i = 0; i < missing.length; i += BATCH) {
      const ids = missing.slice(i, i + BATCH);
      for (const id of ids) this.#asked.add(id);
      try {
        this.#take(await this.fetch(ids));
      } catch (error) {
        for (const id of ids) this.#asked.delete(id); // they are asked for again when they are seen again
        throw error;
      }
    }
  }

  async fetch(ids: readonly string[]): Promise<Passage[]> {
    return (await http.get<Passages>(`/passages?ids=${ids.join(',')}`)).passages;
  }

  /** All passages of these ids, for an export. */
  async fetchAll(ids: readonly string[]): Promise<Passage[]> {
    const all: Passage[] = [];
    for (let i = 0; i < ids.length; i += 200) all.push(...(await this.fetch(ids.slice(i, i + 200))));
    return all;
  }
}
