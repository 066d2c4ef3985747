// The activity as it is listed: pages of it from the newest on, and what is new while it is read.
import { activityParameters, allActivity, newer, renewed, type ActivityQuery, type Kept } from './activity';
import type { Activity } from './api.gen';
import { latest } from './calls';
import { http } from './http';

const PAGE = 100;
/** This long events are gathered before the list is asked for them. */
const GATHER_MS = 250;

export class ActivityFeed {
  /** Newest first; null before the first answer. */
  events = $state.raw<readonly Kept[] | null>(null);
  /** What these answer: the query on its way may be another one. */
  answered = $state.raw(allActivity);
  /** Newer ones that wait until the reader is at the top. */
  waiting = $state.raw<readonly Kept[]>([]);
  next = $state('');
  /** An answer is awaited. */
  loading = $state(false);
  /** The list is at its top: what is new joins it at once. */
  atTop = true;

  #query: ActivityQuery | undefined;
  readonly #asking = latest();
  #current = this.#asking();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #paging = false;

  async load(query: ActivityQuery): Promise<void> {
    const current = (this.#current = this.#asking());
    this.#query = query;
    this.loading = true;
    try {
      const page = await this.#page();
      if (!current()) return;
      this.events = page.events as unknown as Kept[];
      this.answered = query;
      this.next = page.next;
      this.waiting = [];
      if (page.events.length < PAGE) await this.#goOn(current);
    } finally {
      if (current()) this.loading = false;
    }
  }

  /** The page before what is there. */
  async more(): Promise<void> {
    if (this.#paging || this.loading || !this.#query) return;
    this.#paging = true;
    try {
      await this.#goOn(this.#current);
    } finally {
      this.#paging = false;
    }
  }

  /** Asks until a page more is there: a search for a text comes in steps, which may find nothing. */
  async #goOn(current: () => boolean): Promise<void> {
    for (let found = 0; found < PAGE && this.next !== '';) {
      const page = await this.#page(this.next);
      if (!current()) return;
      found += page.events.length;
      this.events = [...(this.events ?? []), ...(page.events as unknown as Kept[])];
      this.next = page.next;
    }
  }

  #page(cursor = ''): Promise<Activity> {
    if (!this.#query) throw new Error('nothing was asked for');
    const parameters = activityParameters(this.#query);
    parameters.set('limit', String(PAGE));
    if (cursor) parameters.set('cursor', cursor);
    return http.get<Activity>(`/activity?${parameters.toString()}`);
  }

  /** Something has happened: whether it belongs to the list, the other side knows. */
  happened(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#refresh().catch(() => undefined);
    }, GATHER_MS);
  }

  async #refresh(): Promise<void> {
    if (!this.#query || this.events === null) return;
    if (this.loading) return this.happened(); // what is listed may answer something else
    const current = this.#current;
    const { events, next } = await this.#page();
    if (!current()) return;
    const page = events as unknown as Kept[];
    const { fresh, gap } = newer([...this.waiting, ...this.events], page);
    if (gap) {
      this.#current = this.#asking(); // what comes before the old ones has no place any more
      this.events = page;
      this.next = next;
      this.waiting = [];
      return;
    }
    this.events = renewed(this.events, page);
    this.waiting = [...fresh, ...renewed(this.waiting, page)];
    if (this.atTop) this.join();
  }

  /** Puts what has waited on top. */
  join(): void {
    if (this.waiting.length === 0) return;
    this.events = [...this.waiting, ...(this.events ?? [])];
    this.waiting = [];
  }

  close(): void {
    clearTimeout(this.#timer);
  }
}
