// What stands in a window, as the page groups and changes it.
import type { Candidate, ItemKind, PageIn, WindowItem } from './api.gen';
import { http } from './http';

export const windowGroups = ['core', 'summary', 'recalled', 'results', 'messages'] as const;
export type WindowGroup = (typeof windowGroups)[number];

const broughtIn: readonly WindowItem['reason'][] = ['recall', 'loaded', 'clicked'];

/** Which part of the window an item stands in. */
export function groupOf({ kind, reason }: WindowItem): WindowGroup {
  if (kind === 'block') return 'core';
  if (kind === 'summary') return 'summary';
  if (kind === 'tool_result' || kind === 'stub') return 'results';
  return kind !== 'message' || broughtIn.includes(reason) ? 'recalled' : 'messages';
}

export interface ItemGroup {
  name: WindowGroup;
  items: WindowItem[];
  tokens: number;
}

/** The items by part, in the order of the parts; empty ones are left out. */
export function grouped(items: readonly WindowItem[]): ItemGroup[] {
  return windowGroups
    .map((name) => {
      const own = items.filter((item) => groupOf(item) === name);
      return { name, items: own, tokens: own.reduce((sum, { tokens }) => sum + tokens, 0) };
    })
    .filter(({ items: own }) => own.length > 0);
}

/** Whether the user can pin it to the window: blocks stay anyway, and what is made of other things comes and goes with them. */
export const canPin = ({ kind }: WindowItem): boolean =>
  kind === 'message' || kind === 'passage' || kind === 'document' || kind === 'fact';

/** Whether it was brought in and can be taken out again. */
export const canTakeOut = (item: WindowItem): boolean => canPin(item) && groupOf(item) === 'recalled';

/** The fill of the layer that an item comes from. */
export function fillOf({ kind }: WindowItem): string {
  if (kind === 'block') return 'fill-core';
  if (kind === 'summary') return 'fill-summary';
  return kind === 'message'
    ? 'fill-messages'
    : kind === 'tool_result' || kind === 'stub'
      ? 'fill-tools'
      : 'fill-recalled';
}

interface Change {
  kind: ItemKind;
  id: string;
  pinned?: boolean;
  out?: boolean;
}

/** Puts something into the window of a conversation, pins it there or takes it out. */
export const page = (conversation: string, change: Change) =>
  http.post<PageIn>(`/conversations/${conversation}/pages`, change);

/** Takes back what the user said about an item: recall and its turns decide again. */
export const forgetPage = (conversation: string, { kind, id }: Pick<Change, 'kind' | 'id'>) =>
  http.delete(`/conversations/${conversation}/pages/${kind}/${encodeURIComponent(id)}`);

/** What a candidate of recall is called as an item of the window. */
export function itemOf({ kind, id, document }: Candidate): Pick<WindowItem, 'kind' | 'id'> {
  return { kind: document ? 'document' : (kind as ItemKind), id };
}
