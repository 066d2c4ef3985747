// Giving a block to an agent.
import type { Agent, Block, CoreBlock, Revised } from './api.gen';
import { app } from './app.svelte';
import { inPlaceOf } from './blocks';
import { http } from './http';
import w from './i18n/memory.words';

/** Attaches a block, in the place of the agent's own one of that label where it has one, and tells so with the way back. */
export async function attach(block: Block, agent: Agent, all: readonly CoreBlock[]): Promise<void> {
  const own = inPlaceOf(block, agent.id, all);
  const path = `/agents/${agent.id}/blocks/${block.id}${own ? '?replace=true' : ''}`;
  const done = await app.attempt(() => http.put<Revised>(path));
  if (!done?.revision.id) return;
  app.offerUndo((own ? w().tookPlace : w().attachedNow)(block.label, agent.name), done.revision);
}
