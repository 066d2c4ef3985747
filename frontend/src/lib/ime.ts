/**
 * Whether a key press means "send": Enter or, as set, Ctrl/⌘ Enter. Never while an input method is composing; WebKit
 * reports the Enter that ends a composition after it, with key code 229.
 */
export function isSubmit(event: KeyboardEvent, sendKey: 'enter' | 'mod_enter' = 'enter'): boolean {
  if (event.key !== 'Enter' || event.shiftKey || event.altKey) return false;
  if (event.isComposing || event.keyCode === 229) return false;
  const modified = event.ctrlKey || event.metaKey;
  return sendKey === 'enter' ? true : modified;
}
