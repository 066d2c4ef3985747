/**
 * Whether a key press is an input method's: Enter that chooses, Escape that gives up, an arrow in its list. WebKit reports
 * the one that ends a composition after it, with key code 229.
 */
export const isComposing = (event: KeyboardEvent): boolean => event.isComposing || event.keyCode === 229;

/** Whether a key press means "send": Enter or, as set, Ctrl/⌘ Enter. */
export function isSubmit(event: KeyboardEvent, sendKey: 'enter' | 'mod_enter' = 'enter'): boolean {
  if (event.key !== 'Enter' || event.shiftKey || event.altKey || isComposing(event)) return false;
  const modified = event.ctrlKey || event.metaKey;
  return sendKey === 'enter' ? true : modified;
}
