// Theme, language and size of text of the page, applied to the root element and remembered for the first paint of the next start.
import { resolveLanguage, setLanguage } from './i18n/index.svelte';
import { isWebKitGTK } from './platform';

export interface Appearance {
  /** "light", "dark", or anything else for the system's. */
  theme?: string;
  language?: string;
  /** Percent; absent for 100. */
  textSize?: number;
}

const KEY = 'appearance';
const darkSystem = matchMedia('(prefers-color-scheme: dark)');
let current: Appearance = {};
darkSystem.addEventListener('change', () => applyAppearance(current));

function resolveTheme(theme: string | undefined, dark: boolean): 'light' | 'dark' {
  if (theme === 'light' || theme === 'dark') return theme;
  return dark ? 'dark' : 'light';
}

/** What makes it light where it is dark, and the other way round. */
export const otherTheme = (): { theme: string } => ({
  theme: document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark',
});

export function applyAppearance(appearance: Appearance): void {
  current = appearance;
  document.documentElement.dataset.theme = resolveTheme(appearance.theme, darkSystem.matches);
  // Where the window can, it enlarges the whole page, so that the layout follows.
  const size = isWebKitGTK() ? undefined : appearance.textSize;
  document.documentElement.style.fontSize = size ? `${size}%` : '';
  setLanguage(resolveLanguage(appearance.language, navigator.languages));
  try {
    localStorage.setItem(KEY, JSON.stringify(appearance));
  } catch {
    // Only the first paint of the next start may differ.
  }
}

export function rememberedAppearance(): Appearance {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Appearance;
  } catch {
    return {};
  }
}
