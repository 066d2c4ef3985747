// The activity as it is listed: pages of it from the newest on, and what is new while it is read.
import { activityParameters, newer, type ActivityQuery, type Kept } from './activity';
import type { Activity } from './api.gen';
import { http } from './http';

const PAGE = 100;
/** This long events are gathered before the list is asked for them. */
const GATHER_MS = 250;

export class ActivityFeed {
  /** Newest first; null before the first answer. */
  events = $state.raw<readonly Kept[] | null>(null);
  /** Newer ones that wait until the reader is at the top. */
  waiting = $state.raw<readonly Kept[]>([]);
  next = $state('');
  /** An answer is awaited. */
  loading = $state(false);
  /** The list is at its top: what is new joins it at once. */
  atTop = true;

  #query: ActivityQuery | undefined;
  #turn = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #paging = false;

  async load(query: ActivityQuery): Promise<void> {
    const turn = ++this.#turn;
    this.#query = query;
    this.loading = true;
    try {
      const page = await this.#page();
      if (turn !== this.#turn) return;
      this.events = page.events as unknown as Kept[];
      this.next = page.next;
      this.waiting = [];
      if (page.events.length < PAGE) await this.#goOn(turn);
    } finally {
      if (turn === this.#turn) this.loading = false;
    }
  }

  /** The page before what is there. */
  async more(): Promise<void> {
    if (this.#paging || this.loading || !this.#query) return;
    this.#paging = true;
    try {
      await this.#goOn(this.#turn);
    } finally {
      this.#paging = false;
    }
  }

  /** Asks until a page more is there: a search for a text comes in steps, which may find nothing. */
  async #goOn(turn: number): Promise<void> {
    for (let found = 0; found < PAGE && this.next !== '';) {
      const page = await this.#page(this.next);
      if (turn !== this.#turn) return;
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
    const turn = this.#turn;
    const page = await this.#page();
    if (turn !== this.#turn) return;
    const known = [...this.waiting, ...this.events];
    const { fresh, gap } = newer(known, page.events as unknown as Kept[]);
    if (gap) {
      this.events = page.events as unknown as Kept[];
      this.next = page.next;
      this.waiting = [];
    } else if (fresh.length > 0) {
      this.waiting = [...fresh, ...this.waiting];
      if (this.atTop) this.join();
    }
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
