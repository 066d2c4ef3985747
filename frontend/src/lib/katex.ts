import katex from 'katex';
import 'katex/dist/katex.css';

/** Throws where the formula can't be read. */
export function render(tex: string, node: HTMLElement, displayMode: boolean): void {
  // Made elsewhere first: a formula that fails must not leave half of itself.
  const made = document.createElement('span');
  katex.render(tex, made, { displayMode, trust: false, strict: 'ignore', maxSize: 40, maxExpand: 500 });
  node.replaceChildren(...made.childNodes);
}
