// Why the memory was changed, in the words of the user.
import type { Dictionary } from './i18n/en';

/** Known reasons are translated; others, such as the names of tools, are shown as they are. */
export function reasonText(reason: string, t: Dictionary): string {
  const bare = reason.replace(/ \(\d+\)$/, ''); // the number only tells wishes of one message apart
  return t.reason[bare] ?? bare;
}
