// A field that shows what is kept and keeps what is written in it.
import { tick, untrack } from 'svelte';
import type { Attachment } from 'svelte/attachments';

type Field = HTMLInputElement | HTMLTextAreaElement;

/**
 * Shows `kept` in a field, and hands what the user has written there to `keep` once they leave it. What comes meanwhile, an
 * answer that is late or a change made elsewhere, never stands in the place of what is being written: the field shows
 * again what is kept when nothing is being kept any more and the user is not writing. `keep` returns false where what is
 * written cannot be kept and the field says so itself: it stays.
 */
export function kept<F extends Field = HTMLInputElement>(
  shown: () => string | number,
  keep: (field: F) => Promise<unknown> | false | undefined,
): Attachment<F> {
  return (field) => {
    let writing = false;
    let keeping = 0;
    const show = () => {
      if (keeping > 0 || (writing && document.activeElement === field)) return;
      writing = false;
      const now = String(shown());
      if (field.value !== now) field.value = now;
    };
    $effect(() => {
      void shown();
      untrack(show);
    });
    const onchange = async () => {
      const written = field.value;
      const done = keep(field);
      if (done === false) return;
      keeping++;
      await done;
      await tick();
      keeping--;
      if (field.value === written) writing = false;
      show();
    };
    const change = () => void onchange();
    const input = () => (writing = true);
    field.addEventListener('input', input);
    field.addEventListener('change', change);
    return () => {
      field.removeEventListener('input', input);
      field.removeEventListener('change', change);
    };
  };
}
