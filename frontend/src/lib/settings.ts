// The sections of the settings, the settings that each keeps, and the way back to their defaults.
import type { Settings } from './api.gen';
import { app } from './app.svelte';
import w from './i18n/settings.words';
import { t } from './i18n/index.svelte';
import { toasts } from './toasts.svelte';

export type SettingKey = Exclude<keyof Settings, 'ui'>;

/** In the order they are listed. What a section shows besides settings has no keys. */
export const sections = {
  look: ['language', 'theme', 'text_size'],
  keys: ['send_key'],
  notices: ['notifications'],
  engine: ['engine_host', 'threads'],
  models: ['model'],
  embedder: ['embedder', 'vector_cache_mb'],
  recall: ['deep_recall', 'deep_seconds', 'facts', 'summaries'],
  window: ['window', 'core_share'],
  data: [],
  backups: ['daily_backups'],
  privacy: [],
  checks: [],
  about: [],
} as const satisfies Record<string, readonly SettingKey[]>;

export type SectionName = keyof typeof sections;

export const isSection = (name: string): name is SectionName => Object.hasOwn(sections, name);

/** Those of the keys that are not at their default. */
export const changed = (keys: readonly SettingKey[]): SettingKey[] =>
  keys.filter((key) => app.state.settings[key] !== undefined);

/** Sets settings back to their defaults, with a way to take that back. */
export async function reset(keys: readonly SettingKey[]): Promise<void> {
  const before = Object.fromEntries(changed(keys).map((key) => [key, app.state.settings[key]]));
  if (!(await app.set(Object.fromEntries(Object.keys(before).map((key) => [key, null]))))) return;
  toasts.show(w().wasReset, { action: { label: t().undo, run: () => void app.set(before) } });
}
