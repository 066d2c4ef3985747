// Long work in the words of the user.
import type { Job } from './api.gen';
import type { Dictionary } from './i18n/en';

/** What a job that runs is doing. */
export function jobTitle({ kind, model, status }: Pick<Job, 'kind' | 'model' | 'status'>, t: Dictionary): string {
  if (kind === 'pull') return t.pulling(model);
  if (kind === 'document') return (status === 'waiting' ? t.waitingDocument : t.readingDocument)(model);
  return t.importing(model || t.starterTitle);
}
