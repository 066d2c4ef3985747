// Every action there is, once: the palette, the list of keys, tooltips and the native menu are all made of this table.
// What an action does is told by the part that can do it, for as long as it is on the page: `implement`.
import type { IconName } from '../components/Icon.svelte';
import w from './i18n/actions.words';
import { isComposing } from './ime';
import { ariaKeys, isCharacter, isPressed, keyNames } from './keys';

interface Definition {
  group: 'general' | 'go' | 'conversation' | 'message' | 'memory' | 'view' | 'lists';
  /** Shortcuts; the first is the one that is shown where there is room for one. */
  keys?: string[];
  icon?: IconName;
  /** The menu of the window that has it. */
  menu?: 'file' | 'view' | 'go' | 'help';
  /** The keys are heard by the thing that has the focus, not everywhere: they are only listed. */
  local?: true;
}

const table = {
  palette: { group: 'general', keys: ['Mod+K'], icon: 'search', menu: 'go' },
  search: { group: 'general', keys: ['/'], icon: 'search', menu: 'go' },
  newConversation: { group: 'general', keys: ['Mod+Shift+O'], icon: 'plus', menu: 'file' },
  write: { group: 'general', icon: 'edit' },
  settings: { group: 'general', keys: ['Mod+,'], icon: 'settings', menu: 'file' },
  keys: { group: 'general', keys: ['?'], icon: 'keyboard', menu: 'help' },
  closeOrStop: { group: 'general', keys: ['Escape'], local: true },

  back: { group: 'go', keys: ['Alt+ArrowLeft'], icon: 'left', menu: 'go' },
  forward: { group: 'go', keys: ['Alt+ArrowRight'], icon: 'right', menu: 'go' },
  previousConversation: { group: 'go', keys: ['Alt+ArrowUp'], menu: 'go' },
  nextConversation: { group: 'go', keys: ['Alt+ArrowDown'], menu: 'go' },
  chat: { group: 'go', keys: ['Alt+1'], icon: 'chat', menu: 'go' },
  memory: { group: 'go', keys: ['Alt+2'], icon: 'memory', menu: 'go' },
  activity: { group: 'go', keys: ['Alt+3'], icon: 'history', menu: 'go' },
  context: { group: 'go', keys: ['Alt+5'], icon: 'context', menu: 'go' },
  agents: { group: 'go', keys: ['Alt+4'], icon: 'agent', menu: 'go' },
  newAgent: { group: 'go', icon: 'plus' },
  sampleLife: { group: 'go' },

  find: { group: 'conversation', keys: ['Mod+F'], icon: 'search', menu: 'go' },
  jumpToDate: { group: 'conversation' },
  jumpToLatest: { group: 'conversation', icon: 'bottom' },
  rename: { group: 'conversation', icon: 'edit', menu: 'file' },
  pin: { group: 'conversation', icon: 'pin' },
  archive: { group: 'conversation', icon: 'archive' },
  exportConversation: { group: 'conversation', icon: 'export', menu: 'file' },
  deleteConversation: { group: 'conversation', icon: 'trash' },

  send: { group: 'message', keys: ['Enter', 'Mod+Enter'], local: true },
  newLine: { group: 'message', keys: ['Shift+Enter'], local: true },
  editLast: { group: 'message', keys: ['ArrowUp'], icon: 'edit', local: true },
  stop: { group: 'message', icon: 'stop' },
  regenerate: { group: 'message', icon: 'again' },
  copyAnswer: { group: 'message', icon: 'copy' },
  attach: { group: 'message', icon: 'attach' },

  newBlock: { group: 'memory', icon: 'plus' },
  addPassage: { group: 'memory', icon: 'plus' },
  addDocuments: { group: 'memory', icon: 'plus' },
  contextWindow: { group: 'memory' },
  makeCoreRoom: { group: 'memory', icon: 'archive' },

  togglePanel: { group: 'view', keys: ['Mod+.'], icon: 'panel', menu: 'view' },
  togglePlaces: { group: 'view', keys: ['Mod+B'], icon: 'menu', menu: 'view' },
  theme: { group: 'view', icon: 'theme', menu: 'view' },
  language: { group: 'view', menu: 'view' },
  zoomIn: { group: 'view', keys: ['Mod+=', 'Mod++'], menu: 'view' },
  zoomOut: { group: 'view', keys: ['Mod+-'], menu: 'view' },
  zoomReset: { group: 'view', keys: ['Mod+0'], menu: 'view' },
  restartEngine: { group: 'view', icon: 'again' },

  listMove: { group: 'lists', keys: ['ArrowUp', 'ArrowDown'], local: true },
  listEnds: { group: 'lists', keys: ['Home', 'End'], local: true },
  listOpen: { group: 'lists', keys: ['ArrowLeft', 'ArrowRight'], local: true },
  listType: { group: 'lists', local: true },
  listRename: { group: 'lists', keys: ['F2'], local: true },
  listDelete: { group: 'lists', keys: ['Delete'], local: true },
} satisfies Record<string, Definition>;

export type ActionId = keyof typeof table;
export type ActionGroup = Definition['group'];
export type ActionMenu = NonNullable<Definition['menu']>;

export interface Action extends Definition {
  id: ActionId;
  label: string;
  keys: string[];
}

const ids = Object.keys(table) as ActionId[];

export function action(id: ActionId): Action {
  const definition: Definition = table[id];
  return { ...definition, id, label: w()[id], keys: definition.keys ?? [] };
}

/** All actions, in the order in which they are listed. */
export const actions = (): Action[] => ids.map(action);

type Run = () => void;
// The map beside the state is for writing: an effect that is taken down reads the state from before the change, in which
// what the parts that came with the change have said is missing.
let latest: ReadonlyMap<ActionId, Run> = new Map();
let running = $state.raw(latest);
const set = (next: ReadonlyMap<ActionId, Run>) => (running = latest = next);

/**
 * Says what actions do, until the function that is returned is called; to be used as an effect of the component that can
 * do them: `$effect(() => implement({ find: open }))`. Of two, the one that came later counts.
 */
export function implement(does: Partial<Record<ActionId, Run>>): () => void {
  const added = Object.entries(does) as [ActionId, Run][];
  set(new Map([...latest, ...added]));
  return () => {
    set(new Map([...latest].filter(([id, run]) => !added.some(([mine, own]) => mine === id && own === run))));
  };
}

/** Whether an action can be done now. */
export const isPossible = (id: ActionId): boolean => running.has(id);

export function run(id: ActionId): void {
  running.get(id)?.();
}

const writing = 'input:not([type=checkbox], [type=radio], [type=range]), textarea, select, [contenteditable]';

/** Does the action whose shortcut the event is. False: there is none, or it cannot be done now. */
export function press(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || isComposing(event)) return false;
  if (document.querySelector('dialog[open]')) return false; // it has the keyboard
  const inText = event.target instanceof Element && event.target.closest(writing) !== null;
  const id = ids.find((id) => {
    const { keys, local }: Definition = table[id];
    return !local && running.has(id) && keys?.some((k) => isPressed(event, k) && !(inText && isCharacter(k)));
  });
  if (!id) return false;
  event.preventDefault();
  run(id);
  return true;
}

/** What a control that does the action says of itself: its name, its tooltip and its shortcut. */
export function described(id: ActionId): { label: string; title: string; keys: string | undefined } {
  const { label, keys } = action(id);
  const first = keys[0];
  return {
    label,
    title: first ? `${label} (${keyNames(first).join(' ')})` : label,
    keys: first ? ariaKeys(first) : undefined,
  };
}
