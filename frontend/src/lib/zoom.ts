// The size of the page's text: one setting, whether it is chosen in the settings or by the keys of the window.
import { app } from './app.svelte';
import { f, t } from './i18n/index.svelte';

/** The sizes that are offered, in percent of the usual one. */
export const textSizes = [80, 90, 100, 110, 125, 150, 175, 200] as const;

const USUAL = 100;

/** The next size in a direction, from any size; the last one stays. */
export function nextSize(size: number, direction: 1 | -1): number {
  const beyond = direction > 0 ? textSizes.find((s) => s > size) : textSizes.findLast((s) => s < size);
  return beyond ?? size;
}

export const textSize = (): number => app.state.settings.text_size ?? USUAL;

const sized = (size: number) => ({ text_size: size === USUAL ? null : size });

export const setTextSize = (size: number): Promise<boolean> => app.set(sized(size));

async function change(to: () => number): Promise<void> {
  if (await app.set(() => sized(to()))) app.announce(t().textSizeNow(f().percent(textSize() / 100)));
}

/** What the keys for the size do. */
export const zoom = {
  zoomIn: () => void change(() => nextSize(textSize(), 1)),
  zoomOut: () => void change(() => nextSize(textSize(), -1)),
  zoomReset: () => void change(() => USUAL),
};
