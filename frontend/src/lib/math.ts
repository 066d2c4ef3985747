// Mathematics. KaTeX is fetched when there is some; until then, and where it can't be read, it stands as it was written.
let katex: Promise<typeof import('./katex')> | undefined;

/** Sets `node` to the formula that its data say, once KaTeX is there. KaTeX makes nodes, no HTML, and fetches nothing. */
export async function renderMath(node: HTMLElement): Promise<void> {
  const { tex = '', display } = node.dataset;
  try {
    const { render } = await (katex ??= import('./katex'));
    if (node.dataset['tex'] === tex) render(tex, node, display !== undefined);
  } catch {
    // It stays as it was written.
  }
}
