// A list that is fetched page by page: what answers the query that was asked last, and more of it on demand.
import { latest } from './calls';

export class Paged<Query, Page extends { next: string }, Item> {
  /** null before the first answer. */
  items = $state.raw<readonly Item[] | null>(null);
  /** The first page, with all that it tells besides. */
  first = $state.raw<Page>();
  /** What these answer: the query on its way may be another one. */
  answered = $state.raw<Query>();
  /** Cursor of the page that follows, '' at the end. */
  next = $state('');

  readonly #fetch: (query: Query, cursor: string) => Promise<Page>;
  readonly #itemsOf: (page: Page) => readonly Item[];
  readonly #asking = latest();

  constructor(fetch: (query: Query, cursor: string) => Promise<Page>, itemsOf: (page: Page) => readonly Item[]) {
    this.#fetch = fetch;
    this.#itemsOf = itemsOf;
  }

  /** Fetches the first page of what a query asks for; the same query again fetches what has changed. */
  async load(query: Query): Promise<void> {
    const current = this.#asking();
    const page = await this.#fetch(query, '');
    if (!current()) return;
    this.first = page;
    this.answered = query;
    this.items = this.#itemsOf(page);
    this.next = page.next;
  }

  /** Fetches the page that follows. It has no place any more where the list was loaded anew meanwhile. */
  async more(): Promise<void> {
    const { items, answered } = this;
    if (items === null || answered === undefined || this.next === '') return;
    const page = await this.#fetch(answered, this.next);
    if (this.items !== items) return;
    this.items = [...items, ...this.#itemsOf(page)];
    this.next = page.next;
  }
}
