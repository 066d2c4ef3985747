// The menu bar of macOS, made of the table of actions. Fetched in the window of a Mac only.
import { actions, isPossible, run, type ActionId, type ActionMenu } from './actions.svelte';
import type { Menu } from './api.gen';
import { http } from './http';
import w from './i18n/menu.words';
import { followMenu } from './platform';

const order: ActionMenu[] = ['file', 'view', 'go', 'help'];

const names: Record<string, string> = {
  mod: 'cmdorctrl',
  alt: 'optionoralt',
  arrowleft: 'left',
  arrowright: 'right',
  arrowup: 'up',
  arrowdown: 'down',
};

/** A shortcut as the shell writes it; '' for one that is only a character, which would be taken from who writes. */
export function menuKeys(keys: string | undefined): string {
  const parts = (keys ?? '').toLowerCase().split('+');
  return parts.length < 2 || parts.includes('') ? '' : parts.map((part) => names[part] ?? part).join('+');
}

export function menu(): Menu {
  return {
    groups: order.map((group) => ({
      title: w()[group],
      items: actions()
        .filter((action) => action.menu === group)
        .map(({ id, label, keys }) => ({ id, label, keys: menuKeys(keys[0]) })),
    })),
  };
}

let following = false;

/** Sends the menu in the language in use, and does what is chosen in it from then on. */
export function showMenu(): void {
  void http.post('/menu', menu()).catch(() => undefined);
  if (following) return;
  following = true;
  followMenu((id) => {
    if (isPossible(id as ActionId)) run(id as ActionId);
  });
}
