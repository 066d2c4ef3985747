// The words and formats of the language in use. `t` and `f` are read through functions, so that a change of language
// changes every text that is shown.
import { Format, sanitizeLocale } from '../format';
import { en, type Dictionary } from './en';
import { zh } from './zh';

export type Language = 'en' | 'zh';

const dictionaries: Record<Language, Dictionary> = { en, zh };
const formats: Record<Language, Format> = { en: new Format('en'), zh: new Format('zh-CN') };

let current = $state<Language>('en');

export const t = (): Dictionary => dictionaries[current];

/**
 * The words of one part of the page, fetched with it: NAME.words.ts exports `words({ en: …, zh: … })`, and the part says
 * `w().title`. English is the type that the other languages must satisfy.
 */
export function words<T>(languages: { en: T } & Record<Exclude<Language, 'en'>, NoInfer<T>>): () => T {
  return () => languages[current];
}

export const f = (): Format => formats[current];
export const language = (): Language => current;

/** The language of the interface for a setting: "en", "zh" or, for anything else, that of the system. */
export function resolveLanguage(setting: unknown, system: readonly string[]): Language {
  if (setting === 'en' || setting === 'zh') return setting;
  return sanitizeLocale(system[0]).startsWith('zh') ? 'zh' : 'en';
}

export function setLanguage(next: Language): void {
  current = next;
  document.documentElement.lang = next === 'zh' ? 'zh-Hans' : 'en';
  document.documentElement.dataset.lang = next;
}
