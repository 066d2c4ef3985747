// The focus is never lost: when what had it leaves the page after an action of the user, it goes to what is nearest.

const focusable =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), summary, [tabindex="0"]';

/** When it is looked after, in milliseconds after a key or a click: at once, and after an answer of the other side. */
const LATER = [0, 150, 500, 1500];

/** Begins to look after the focus; the function that is returned ends it. */
export function keepFocus(): () => void {
  let above: HTMLElement[] = [];
  const timers = new Set<ReturnType<typeof setTimeout>>();

  function remember() {
    above = [];
    for (let at = document.activeElement as HTMLElement | null; at; at = at.parentElement) above.push(at);
  }
  function mend() {
    const [last] = above;
    if (document.activeElement !== document.body || !last || last.isConnected) return;
    const near = above.find((element) => element.isConnected);
    if (!near || near === document.body) return;
    const inside = [...near.querySelectorAll<HTMLElement>(focusable)].find((e) => e.checkVisibility());
    (near.matches(focusable) ? near : inside)?.focus({ preventScroll: true });
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
