// The focus is never lost: when what had it leaves the page after an action of the user, it goes to what is nearest, else
// back to where it was before.

const focusable =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), summary, [tabindex="0"]';

/** What is so large that anything in it is not near. */
const large = 'main, nav, aside, footer, dialog, #app, body';

/** When it is looked after, in milliseconds after a key or a click: at once, and after an answer of the other side. */
const LATER = [0, 150, 500, 1500, 5000];

const REMEMBERED = 10;

const canHave = (e: HTMLElement): boolean => e.isConnected && e.matches(focusable) && e.checkVisibility();
const firstIn = (e: Element): HTMLElement | undefined => [...e.querySelectorAll<HTMLElement>(focusable)].find(canHave);

/**
 * Nothing has the focus, as when what had it has just gone. Only then what ends after a slow answer may take it: who works
 * somewhere else by then keeps it there.
 */
export const isFocusFree = (): boolean => document.activeElement === null || document.activeElement === document.body;

/** Begins to look after the focus; the function that is returned ends it. */
export function keepFocus(): () => void {
  /** What had the focus, with all that was around it, the last first. */
  let trail: HTMLElement[][] = [];
  const timers = new Set<ReturnType<typeof setTimeout>>();

  function remember() {
    const above: HTMLElement[] = [];
    for (let at = document.activeElement as HTMLElement | null; at; at = at.parentElement) above.push(at);
    if (above.length > 2) trail = [above, ...trail.filter(([e]) => e !== above[0])].slice(0, REMEMBERED);
  }
  function mend() {
    const [last] = trail;
    if (document.activeElement !== document.body || !last || last[0]?.isConnected) return;
    for (const around of last) {
      if (!around.isConnected) continue;
      if (around.matches(large)) break;
      const near = canHave(around) ? around : firstIn(around);
      if (near) return near.focus({ preventScroll: true });
    }
    const before = trail.flatMap(([e]) => (e && canHave(e) ? [e] : []))[0];
    const main = document.querySelector('main');
    (before ?? (main && firstIn(main)))?.focus({ preventScroll: true });
  }
  function soon() {
    for (const timer of timers) clearTimeout(timer);
    timers.clear();
    for (const wait of LATER) timers.add(setTimeout(mend, wait));
  }

  document.addEventListener('focusin', remember);
  document.addEventListener('keydown', soon);
  document.addEventListener('click', soon);
  return () => {
    document.removeEventListener('focusin', remember);
    document.removeEventListener('keydown', soon);
    document.removeEventListener('click', soon);
    for (const timer of timers) clearTimeout(timer);
  };
}
