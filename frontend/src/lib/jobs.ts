// Long work in the words of the user.
import type { Job } from './api.gen';
import type { Dictionary } from './i18n/en';

/** What a job that runs is doing. */
export function jobTitle({ kind, model }: Pick<Job, 'kind' | 'model'>, t: Dictionary): string {
  if (kind === 'pull') return t.pulling(model);
  if (kind === 'document') return t.readingDocument(model);
  return t.importing(model || t.starterTitle);
}
