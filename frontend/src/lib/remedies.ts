// Where the user finds what helps, if the page cannot do it by itself.
import type { Remedy } from './api.gen';
import { navigate } from './route.svelte';
import { shell } from './shell.svelte';

/** The part of the settings that a remedy is found in. */
const section: Partial<Record<Remedy, string>> = {
  install_engine: 'engine',
  update_engine: 'engine',
  check_address: 'engine',
  choose_model: 'models',
  smaller_model: 'models',
  check_model_name: 'models',
  raise_window: 'window',
};

/** Leads to a remedy: a dialog, the agent, or what is set, chosen or read in the settings. */
export function leadTo(remedy: Remedy, agent: string): void {
  switch (remedy) {
    case 'shorten_core':
      shell.dialog = 'coreRoom';
      break;
    case 'fewer_tools':
      navigate({ place: 'agents', id: agent });
      break;
    default:
      navigate({ place: 'settings', id: section[remedy] ?? '' });
  }
}
