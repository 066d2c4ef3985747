// What of the shell is open: the places and the memory panel on wide windows, one sheet at a time on narrow ones; and the
// dialogs of the keyboard.
import { tick } from 'svelte';

function remembered(key: string): boolean {
  try {
    return localStorage.getItem(key) !== 'closed';
  } catch {
    return true;
  }
}
function remember(key: string, open: boolean): void {
  try {
    localStorage.setItem(key, open ? 'open' : 'closed');
  } catch {
    // It opens as usual next time.
  }
}

const narrow = matchMedia('(max-width: 1199px)');

const small = matchMedia('(max-width: 999px)');

class Shell {
  panel = $state(remembered('panel'));
  #places = $state(remembered('places'));
  #narrow = $state(narrow.matches);
  sheet = $state<'' | 'memory' | 'places'>('');
  dialog = $state<'' | 'palette' | 'keys' | 'rename' | 'coreRoom'>('');
  #opener: HTMLElement | null = null;

  constructor() {
    narrow.addEventListener('change', () => (this.#narrow = narrow.matches));
  }

  /** The places are only a rail, or behind a button. */
  get isRail(): boolean {
    return this.sheet !== 'places' && (this.#narrow || !this.#places);
  }

  togglePanel(): void {
    this.panel = !this.panel;
    remember('panel', this.panel);
  }

  /** The panel, or where there is no room for one beside the page, the sheet. */
  toggleMemory(): void {
    if (this.sheet === 'memory') void this.closeSheet();
    else if (small.matches) void this.openSheet('memory');
    else this.togglePanel();
  }

  togglePlaces(): void {
    if (this.sheet === 'places') void this.closeSheet();
    else if (this.#narrow) void this.openSheet('places');
    else {
      this.#places = !this.#places;
      remember('places', this.#places);
    }
  }

  async openSheet(sheet: 'memory' | 'places'): Promise<void> {
    this.#opener = document.activeElement instanceof HTMLElement ? document.activeElement : null;
    this.sheet = sheet;
    await tick();
    document.querySelector<HTMLElement>(`[data-sheet="${sheet}"] :is(button, a, input)`)?.focus();
  }

  /** Closes the sheet; the focus returns to what opened it. */
  async closeSheet(): Promise<void> {
    if (this.sheet === '') return;
    this.sheet = '';
    await tick();
    this.#opener?.focus();
    this.#opener = null;
  }
}

export const shell = new Shell();
