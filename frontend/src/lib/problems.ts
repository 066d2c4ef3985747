// Errors in the words of the user: what happened, why, and the next step.
import type { Problem, Remedy } from './api.gen';
import type { Dictionary } from './i18n/en';
import type { Format } from './format';
import { asApiError, type ApiError } from './http';

/** A problem as it is told: of a turn, or of a request. */
export type Told = Pick<Problem, 'message' | 'chinese' | 'remedy' | 'others' | 'limit' | 'actual'> & {
  code: Problem['code'] | ApiError['code'];
};

const ID = /\b[0-9A-HJKMNP-TV-Z]{26}\b/i;

/** What does not fit into the window, where that is why there is no plan; any other error is thrown on. */
export function overflowOf(error: unknown): ApiError {
  const problem = asApiError(error);
  if (problem.code !== 'EOVERFLOW') throw error;
  return problem;
}

/** What is wrong, by its code. The detail from the other side follows where it is in the page's language. */
export function problemText(problem: Told, t: Dictionary, f: Format): string {
  if (problem.remedy === 'store_in_archive' && problem.limit && problem.actual)
    return t.tooLong(f.number(problem.actual), f.number(problem.actual - problem.limit)); // the detail would say the same once more
  if (problem.remedy && whole.has(problem.remedy)) return t.remedy[problem.remedy];
  const said = t.locale === 'en' ? detail(problem) : problem.chinese ? sentence(problem.chinese) : '';
  if ([problem.limit, problem.actual].every((n) => n && said.includes(String(n)))) return said;
  // What stands against it need not be a change; and what is wrong with the engine is said in one way, not in two.
  if ((problem.code === 'ECONFLICT' || problem.code === 'EENGINE') && said) return said;
  const parts = [t.problem[problem.code]];
  if (problem.limit && problem.actual) parts.push(t.numbers(f.number(problem.actual), f.number(problem.limit)));
  parts.push(said);
  return parts.filter(Boolean).join(' ');
}

/** The detail that `problemText` leaves out, since it is in another language than the page; '' where there is none. */
export function foreignDetail(problem: Told, t: Dictionary): string {
  const said = problem.remedy && (problem.remedy === 'store_in_archive' || whole.has(problem.remedy));
  return t.locale === 'en' || said || problem.chinese ? '' : detail(problem);
}

// An id says nothing to a reader.
const detail = ({ code, message }: Told): string =>
  message && code !== 'UNREACHABLE' && !ID.test(message) ? sentence(message) : '';

const whole = new Set<Remedy>([
  'fill_file',
  'check_file',
  'unlock_file',
  'recognise_text',
  'other_format',
  'split_file',
  'open_link',
]);

/** Whether the sentence of a remedy says all about the problem: of a file that was to be read, or of a page that is shut out. */
export const saysAll = (remedy: Remedy): boolean => whole.has(remedy);

const outside = new Set<Remedy>(['choose_folder', 'restore', 'update_app']);

/** Whether the page itself can do nothing for this remedy: it is told as a sentence, not offered as a button. */
export const isOutside = (remedy: Remedy): boolean => outside.has(remedy);

/** A text as a sentence. */
export function sentence(text: string): string {
  const first = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?。？]$/.test(first) ? first : first + (/\p{sc=Han}/u.test(first) ? '。' : '.');
}

/**
 * The step that helps now with an answer that failed: an engine that is there again need not be started, and an answer of
 * which something has come is gone on with.
 */
export function nextStep(remedy: Remedy, engineReady: boolean, begun: boolean): Remedy | 'continue' {
  const now = remedy === 'start_engine' && engineReady ? 'retry' : remedy;
  return now === 'retry' && begun ? 'continue' : now;
}
