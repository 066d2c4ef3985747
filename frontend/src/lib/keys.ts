// Shortcuts as one writes them: "Mod+K", "Alt+ArrowLeft", "?". Mod is ⌘ on Apple machines and Ctrl elsewhere.

export const apple = /^(Mac|iP(hone|ad|od))/.test(navigator.platform);

const modifiers = ['Mod', 'Alt', 'Shift'] as const;
type Modifier = (typeof modifiers)[number];

interface Shortcut {
  key: string;
  held: ReadonlySet<Modifier>;
}

function parse(keys: string): Shortcut {
  const parts = keys.replace(/\+$/, 'Plus').split('+');
  const last = parts.pop() ?? '';
  const key = last === 'Plus' ? '+' : last;
  return { key, held: new Set(modifiers.filter((m) => parts.includes(m))) };
}

/** The key of an event, as on a Latin keyboard where another script is typed, or where Alt makes another character. */
function keyOf(event: KeyboardEvent): string {
  if (event.key.length === 1 && (event.altKey || event.key > '~')) {
    const code = /^(?:Key([A-Z])|Digit(\d))$/.exec(event.code);
    if (code) return code[1] ?? code[2] ?? '';
  }
  return event.key.length === 1 ? event.key.toUpperCase() : event.key;
}

/** Whether the event is this shortcut, and no more than it. */
export function isPressed(event: KeyboardEvent, keys: string): boolean {
  const { key, held } = parse(keys);
  const mod = apple ? event.metaKey : event.ctrlKey;
  const other = apple ? event.ctrlKey : event.metaKey;
  // Signs such as ? need Shift on some keyboards and not on others.
  const sign = key.length === 1 && !/[A-Z0-9]/.test(key);
  return (
    keyOf(event) === key &&
    mod === held.has('Mod') &&
    event.altKey === held.has('Alt') &&
    (sign || event.shiftKey === held.has('Shift')) &&
    !other
  );
}

/** Whether a shortcut is only a character, which somebody who writes means as such. */
export function isCharacter(keys: string): boolean {
  return parse(keys).key.length === 1 && parse(keys).held.size === 0;
}

const signs: Record<string, string> = {
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Escape: 'Esc',
  PageUp: 'Page Up',
  PageDown: 'Page Down',
  ' ': 'Space',
};

/** The keys one by one as they are printed on the keyboard: ["Ctrl", "K"] or ["⌘", "K"]. */
export function keyNames(keys: string, onApple = apple): string[] {
  const { key, held } = parse(keys);
  const names: Record<Modifier, string> = onApple
    ? { Mod: '⌘', Alt: '⌥', Shift: '⇧' }
    : { Mod: 'Ctrl', Alt: 'Alt', Shift: 'Shift' };
  return [...modifiers.filter((m) => held.has(m)).map((m) => names[m]), signs[key] ?? key];
}

/** A shortcut for the attribute aria-keyshortcuts. */
export function ariaKeys(keys: string, onApple = apple): string {
  const { key, held } = parse(keys);
  const names: Record<Modifier, string> = { Mod: onApple ? 'Meta' : 'Control', Alt: 'Alt', Shift: 'Shift' };
  return [...modifiers.filter((m) => held.has(m)).map((m) => names[m]), key].join('+');
}
