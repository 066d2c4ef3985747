// A field that shows what is kept and keeps what is written in it.
import { tick, untrack } from 'svelte';
import type { Attachment } from 'svelte/attachments';

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

const ticks = (field: Field): field is HTMLInputElement =>
  field instanceof HTMLInputElement && field.type === 'checkbox';
const read = (field: Field) => (ticks(field) ? field.checked : field.value);

/**
 * Shows what is kept in a field, and hands what the user has written, ticked or chosen there to `keep` once they leave it.
 * What comes meanwhile, an answer that is late or a change made elsewhere, never stands in the place of what is being
 * written: the field shows again what is kept, also where the change was refused, when nothing is being kept any more and
 * the user is not writing. `keep` returns false where what is written cannot be kept and the field says so itself: it stays.
 */
export function kept<F extends Field = HTMLInputElement>(
  shown: () => string | number | boolean,
  keep: (field: F) => Promise<unknown> | false | undefined,
): Attachment<F> {
  return (field) => {
    let writing = false;
    let keeping = 0;
    const show = () => {
      if (keeping > 0 || (writing && document.activeElement === field)) return;
      writing = false;
      const now = shown();
      if (ticks(field)) field.checked = now === true;
      else if (field.value !== String(now)) field.value = String(now);
    };
    $effect(() => {
      void shown();
      untrack(show);
    });
    const onchange = async () => {
      const written = read(field);
      const done = keep(field);
      if (done === false) return;
      keeping++;
      await done;
      await tick();
      keeping--;
      if (read(field) === written) writing = false;
      show();
    };
    const change = () => void onchange();
    const input = () => (writing = true);
    field.addEventListener('input', input);
    field.addEventListener('change', change);
    const options = new MutationObserver(show); // one that comes later may be what is kept
    if (field instanceof HTMLSelectElement) options.observe(field, { childList: true });
    return () => {
      options.disconnect();
      field.removeEventListener('input', input);
      field.removeEventListener('change', change);
    };
  };
}
