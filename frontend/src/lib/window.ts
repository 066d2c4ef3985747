// What stands in a window, as the page groups and changes it.
import type { Candidate, ContextWindow, ItemKind, PageIn, PartName, WindowItem } from './api.gen';
import { http } from './http';

export interface ItemGroup {
  name: PartName;
  items: WindowItem[];
  tokens: number;
}

/** The items by part, in the order of the plan, whose tokens they add up to; empty parts are left out. */
export function grouped({ plan, items }: Pick<ContextWindow, 'plan' | 'items'>): ItemGroup[] {
  return plan.parts
    .map(({ name, used }) => ({ name, items: items.filter((item) => item.part === name), tokens: used }))
    .filter(({ items: own }) => own.length > 0);
}

/** Whether the user can pin it to the window: blocks stay anyway, and what is made of other things comes and goes with them. */
export const canPin = ({ kind, id }: WindowItem): boolean =>
  id !== '' && (kind === 'message' || kind === 'passage' || kind === 'document' || kind === 'fact');

/** Whether it was brought in and can be taken out again. */
export const canTakeOut = (item: WindowItem): boolean => canPin(item) && item.part === 'recalled';

/** The fill of the layer that an item comes from. */
export function fillOf({ kind, part }: WindowItem): string {
  if (kind === 'tool_result' || kind === 'stub') return 'fill-tools';
  return kind === 'message' ? 'fill-messages' : `fill-${part}`;
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
