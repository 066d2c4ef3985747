// What the page makes of a candidate of recall.
import type { Candidate, Feedback, FeedbackUse, Layer } from './api.gen';
import { factRoute, placeRoute } from './place';
import type { Route } from './route.svelte';

/** The class that paints the layer of a candidate. */
export const fillOf = (candidate: Candidate): string => fillOfKind(layerOf(candidate));

/** The class that paints a layer, or a kind of memory. */
export function fillOfKind(layer: string): string {
  switch (layer) {
    case 'message':
      return 'fill-transcript';
    case 'fact':
      return 'fill-core';
    default:
      return 'fill-archive';
  }
}

export const layerOf = ({ layer, kind }: Candidate): Layer => layer || (kind as Layer); // old receipts know the kind only

/** Where it can be read whole; undefined where that is not known. */
export function placeOf({
  kind,
  id,
  conversation_id,
  document,
}: Pick<Candidate, 'kind' | 'id' | 'conversation_id' | 'document'>): Route | undefined {
  if (document) return placeRoute(document, id);
  if (kind === 'passage') return { place: 'memory', id: 'archive', query: { passage: id } };
  if (kind === 'fact') return factRoute(id);
  return conversation_id ? { place: 'chat', id: conversation_id, query: { m: id } } : undefined;
}

/** What the user wants with a memory in a conversation now. */
export function useOf(
  list: readonly Feedback[],
  item: { kind: string; id: string },
  conversation: string,
): FeedbackUse {
  const about = list.filter((f) => f.kind === item.kind && f.item_id === item.id);
  if (conversation !== '' && about.some((f) => f.use === 'never' && f.conversation_id === conversation)) return 'never';
  return about.find((f) => f.use !== 'never')?.use ?? '';
}

/** The steps that lead from one wish to another: what is sent, in order. “Never here” stands beside the others. */
export function steps(
  from: FeedbackUse,
  to: FeedbackUse,
  conversation: string,
): { use: FeedbackUse; conversation_id?: string }[] {
  if (from === to) return [];
  if (to === 'never') return [{ use: 'never', conversation_id: conversation }];
  return from === 'never' ? [{ use: '', conversation_id: conversation }, { use: to }] : [{ use: to }];
}
