// Blocks as they are shown: while they are written, in their order, as they were.
import type { Block, Core, CoreBlock } from './api.gen';

/** How large a block is while it is being written. */
export interface BlockSize {
  id: string;
  chars: number;
  /** As the block stands in the prompt; undefined before it was counted. */
  tokens: number | undefined;
  /** Of all core memory with it. */
  total: number | undefined;
}

/** Core memory with one block as it is being written. */
export function withSize(core: Core, size: BlockSize | undefined): Core {
  if (size?.tokens === undefined || size.total === undefined) return core;
  const { id, tokens, total } = size;
  if (!core.blocks.some((block) => block.id === id)) return core;
  return {
    ...core,
    tokens: total,
    blocks: core.blocks.map((block) => (block.id === id ? { ...block, tokens } : block)),
  };
}

/** The ids with one of them a place further up (-1) or down (1); undefined where there is no such place. */
export function moved(ids: readonly string[], id: string, by: -1 | 1): string[] | undefined {
  const at = ids.indexOf(id);
  const to = at + by;
  if (at < 0 || to < 0 || to >= ids.length) return undefined;
  const order = [...ids];
  order.splice(at, 1);
  order.splice(to, 0, id);
  return order;
}

/** The block that an agent has of the label of another one, whose place that one can take; undefined where it has none. */
export function inPlaceOf(block: Block, agent: string, all: readonly CoreBlock[]): CoreBlock | undefined {
  const label = block.label.toLowerCase();
  return all.find((one) => one.id !== block.id && one.agents.includes(agent) && one.label.toLowerCase() === label);
}

export type BlockField = 'label' | 'description' | 'limit' | 'pinned' | 'read_only' | 'tags';

/** What else than the value a change of a block changed; nothing where it was created or deleted. */
export function changedFields(before: string, after: string): { field: BlockField; from: string; to: string }[] {
  if (before === '' || after === '') return [];
  const [old, now] = [JSON.parse(before), JSON.parse(after)] as [Block, Block];
  const fields: BlockField[] = ['label', 'description', 'limit', 'pinned', 'read_only', 'tags'];
  return fields.flatMap((field) => {
    const [from, to] = [old, now].map((block) =>
      field === 'tags' ? (block.tags ?? []).join(', ') : String(block[field]),
    );
    return from === to ? [] : [{ field, from: from ?? '', to: to ?? '' }];
  });
}

/** The change that makes a block again what a revision left; undefined where it is that already. */
export function restoring(state: string, block: Block): Partial<Block> | undefined {
  if (state === '') return undefined;
  const { label, value, description, limit, pinned, read_only, tags } = JSON.parse(state) as Block;
  const wanted = { label, value, description, limit, pinned, read_only, tags: tags ?? [] };
  const same = (Object.keys(wanted) as (keyof typeof wanted)[]).every(
    (field) => JSON.stringify(wanted[field]) === JSON.stringify(block[field]),
  );
  return same ? undefined : wanted;
}
