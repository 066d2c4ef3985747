// What of the shell is open: the memory panel on wide windows, one sheet at a time on narrow ones.
import { tick } from 'svelte';

const KEY = 'panel';

function remembered(): boolean {
  try {
    return localStorage.getItem(KEY) !== 'closed';
  } catch {
    return true;
  }
}

class Shell {
  panel = $state(remembered());
  sheet = $state<'' | 'memory' | 'places'>('');
  #opener: HTMLElement | null = null;

  togglePanel(): void {
    this.panel = !this.panel;
    try {
      localStorage.setItem(KEY, this.panel ? 'open' : 'closed');
    } catch {
      // It opens as usual next time.
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
