// Models that are about to be deleted. Nothing but another download brings one back, so it goes only after the notice
// with its Undo has been there for a while; when the page closes before, it stays.
import { SvelteMap } from 'svelte/reactivity';
import type { EngineModel } from './api.gen';
import { app } from './app.svelte';
import { asApiError, http } from './http';
import w from './i18n/models.words';
import { f, t } from './i18n/index.svelte';
import { toasts } from './toasts.svelte';

const GRACE_MS = 6000;

export const leaving = new SvelteMap<string, ReturnType<typeof setTimeout>>();

/** The model stays after all. */
export function keep(name: string): void {
  clearTimeout(leaving.get(name));
  leaving.delete(name);
}

/** Deletes the model in a while, unless the user says otherwise. */
export function deleteLater(model: EngineModel): void {
  const { name } = model;
  const gone = async () => {
    const path = name.split('/').map(encodeURIComponent).join('/');
    try {
      await http.delete(`/models/${path}`);
      await app.attempt(app.loadModels);
      toasts.show(w().deleted(app.labelOf(model), f().bytes(model.bytes)));
    } catch (error) {
      if (asApiError(error).code !== 'EBUSY') app.complain(error);
      else {
        toasts.show(w().deletedLater(app.labelOf(model)), {
          alarm: true,
          action: { label: t().retry, run: () => deleteLater(model) },
        });
      }
    }
    leaving.delete(name);
  };
  clearTimeout(leaving.get(name));
  leaving.set(
    name,
    setTimeout(() => void gone(), GRACE_MS),
  );
  toasts.show(w().deleting(app.labelOf(model)), {
    action: { label: t().undo, run: () => keep(name) },
  });
}
