// What stands between a change of memory and its undo.
import type { Revision } from './api.gen';

/** What two states of a subject have in common where they are the same; of other subjects only the app itself can tell. */
const compared: Partial<Record<Revision['subject'], readonly string[]>> = {
  block: ['label', 'value', 'description', 'limit', 'read_only', 'pinned', 'tags'],
  passage: ['text', 'tags'],
  fact: ['subject', 'key', 'value', 'ended_at', 'pinned', 'deleted_at'],
};

/** Whether a subject whose newest revision is `newest` is as `revision` left it, so that this can be taken back. */
export function isAsLeft(revision: Revision, newest: Revision | undefined): boolean {
  const fields = compared[revision.subject];
  if (!newest || newest.id === revision.id || !fields) return true;
  if (newest.after === '' || revision.after === '') return newest.after === revision.after;
  const [now, then] = [newest, revision].map(({ after }) => JSON.parse(after) as Record<string, unknown>);
  // An empty list is written as none.
  const same = (field: string) => JSON.stringify(now?.[field] ?? []) === JSON.stringify(then?.[field] ?? []);
  return fields.every(same);
}
