// Where memories stand: a passage in its document, a fact among the facts.
import type { DocumentPlace, Revision } from './api.gen';
import type { Format } from './format';
import type { Dictionary } from './i18n/en';
import type { Route } from './route.svelte';

/** Title and page, as a source is named. */
export function placeText({ title, page, paged }: DocumentPlace, t: Dictionary, f: Format): string {
  if (page === 0) return title; // the summary
  return (paged ? t.documentPage : t.documentPart)(title, f.number(page));
}

/** Where the page of a passage is shown. */
export const placeRoute = ({ id, page }: DocumentPlace, passage: string): Route => ({
  place: 'memory',
  id: 'documents',
  item: id,
  query: page === 0 ? {} : { page: String(page), passage },
});

/** Where a fact is shown with its history. */
export const factRoute = (id: string): Route => ({ place: 'memory', id: 'facts', item: id });

/** Where the history of what a revision changed is shown; undefined where nothing has one. */
export function historyRoute({ subject, subject_id }: Revision): Route | undefined {
  switch (subject) {
    case 'block':
      return { place: 'memory', id: 'blocks', query: { block: subject_id } };
    case 'passage':
      return { place: 'memory', id: 'archive', query: { passage: subject_id } };
    case 'fact':
      return factRoute(subject_id);
    default:
      return undefined;
  }
}
