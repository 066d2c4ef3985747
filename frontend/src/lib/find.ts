// Words that are looked for, marked where they stand on the page. The marks are the browser's own highlights: nothing is
// put into the text.

const NAMES = ['find', 'find-here'] as const;

/** Where `query` stands in the text below `root`. Case and the width of characters make no difference. */
function rangesOf(root: Node, query: string): Range[] {
  const wanted = fold(query);
  if (wanted === '') return [];
  const ranges: Range[] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = fold(node.nodeValue ?? '');
    if (text.length !== node.nodeValue?.length) continue; // positions would differ
    for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + wanted.length);
      ranges.push(range);
    }
  }
  return ranges;
}

const fold = (text: string): string => text.normalize('NFKC').toLowerCase();

/** Marks the words below `root`, those below `here` so that they stand out of the others. */
export function highlight(root: Node, here: Node | null, query: string): void {
  if (!('highlights' in CSS)) return;
  const ranges = rangesOf(root, query);
  const inside = (range: Range) => here?.contains(range.startContainer) ?? false;
  CSS.highlights.set('find', new Highlight(...ranges.filter((r) => !inside(r))));
  CSS.highlights.set('find-here', new Highlight(...ranges.filter(inside)));
}

export function removeHighlights(): void {
  if (!('highlights' in CSS)) return;
  for (const name of NAMES) CSS.highlights.delete(name);
}
