// What the plan of a request tells beyond its figures.
import type { Part, Plan } from './api.gen';

/** From this share of the window on the bar warns. */
export const WARN = 0.8;

export const share = (plan: Plan): number => (plan.usable > 0 ? plan.prompt / plan.usable : 0);

/** Reserve and margin hold nothing: nobody has put anything there. */
export const isEmpty = (part: Part): boolean => part.name === 'reserve' || part.name === 'margin';

/** Whether the total is an estimate: not where the engine has counted all of it but a few words. */
export const isEstimate = (plan: Plan): boolean => !plan.exact && plan.measured < 0.95 * plan.prompt;

/** The table as text that a spreadsheet takes: tabs between the columns. */
export function tableText(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  return [head, ...rows].map((row) => row.join('\t')).join('\n');
}

/** The plan by part, as `tableText`. */
export function planText(
  plan: Plan,
  w: { part: string; allowed: string; used: string; total: string; parts: Record<Part['name'], string> },
): string {
  const rows = plan.parts.map((part) => [w.parts[part.name], part.allowed, isEmpty(part) ? '' : part.used]);
  return tableText([w.part, w.allowed, w.used], [...rows, [w.total, plan.usable, plan.prompt]]);
}
