// Markdown for answers that are still being written. The text is cut into blocks; a block that can no longer change is
// read once and kept, and with each new piece of text only the tail is read again. What is read becomes nodes of a few
// named elements: nothing a model writes is ever parsed as HTML.
import { Marked, type MarkedToken, type Token, type TokenizerAndRendererExtension, type Tokens } from 'marked';
import { renderMath } from './math';

/** Words, or an element around others. */
export type Shape = string | { tag: string; attributes: Record<string, string>; children: Shape[] };

/** `open`: it is the last one, and what follows may still belong to it. */
export type MarkdownBlock = { key: number; open: boolean } & (
  { kind: 'words'; shapes: Shape[]; item: boolean } | { kind: 'code'; language: string; code: string }
);

interface MathToken {
  type: 'math';
  raw: string;
  tex: string;
  display: boolean;
}

const mathToken = (match: RegExpExecArray | null, display: boolean): MathToken | undefined => {
  const tex = match?.slice(1).find((group) => group !== undefined);
  return match && tex?.trim() ? { type: 'math', raw: match[0], tex: tex.trim(), display } : undefined;
};

// A formula never reaches over an empty line, so that an unfinished one holds nothing else back.
const displayed = /^(?:\$\$((?:[^$\n]|\n(?!\s*\n)|\\\$)+?)\$\$|\\\[((?:[^\n]|\n(?!\s*\n))+?)\\\])/;

const mathBlock: TokenizerAndRendererExtension = {
  name: 'mathBlock',
  level: 'block',
  tokenizer(source) {
    const match = displayed.exec(source);
    if (!match || !/^[ \t]*(?:\n|$)/.test(source.slice(match[0].length))) return undefined;
    return mathToken(match, true);
  },
};

const mathInline: TokenizerAndRendererExtension = {
  name: 'mathInline',
  level: 'inline',
  start: (source) => {
    const at = source.search(/\$|\\[([]/);
    return at < 0 ? undefined : at;
  },
  tokenizer(source, tokens) {
    if (source.startsWith('\\(')) return mathToken(/^\\\(((?:[^\n]|\n(?!\s*\n))+?)\\\)/.exec(source), false);
    const display = mathToken(displayed.exec(source), true);
    if (display) return display;
    // Money is no mathematics: "$5 and $6", "US$20", "$5-$6", "$HOME/$USER", "$5，$6".
    if (/^\$[\d.,]+[^\p{ASCII}]/u.test(source) || /[\w$]$/.test(tokens.at(-1)?.raw ?? '')) return undefined;
    return mathToken(/^\$(?![\s$])((?:\\.|[^$\n\\])*?(?:\\.|[^\s$\\]))\$(?![\w$])/.exec(source), false);
  },
};

const marked = new Marked({ gfm: true, extensions: [mathBlock, mathInline] });

/** Web and mail addresses only; everything else a model may write as a link stays text. */
const isSafeLink = (href: string): boolean => /^(?:https?:\/\/|mailto:)/i.test(href);

/** Replaces `&copy;` and the like; each is decoded by itself, so that no tag can hide in it. */
function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#\d+|#x[\da-f]+|[a-z\d]+);/gi, (entity) => {
    const holder = document.createElement('textarea');
    holder.innerHTML = entity;
    return holder.value;
  });
}

const element = (tag: string, children: Shape[], attributes: Record<string, string> = {}): Shape => ({
  tag,
  attributes,
  children,
});

function link(href: string, children: Shape[]): Shape[] {
  return isSafeLink(href) ? [element('a', children, { href, rel: 'noopener noreferrer' })] : children;
}

function table({ header, rows }: Tokens.Table): Shape {
  const cell = (c: Tokens.TableCell) =>
    element(c.header ? 'th' : 'td', shapes(c.tokens), c.align ? { class: `align-${c.align}` } : {});
  const row = (cells: Tokens.TableCell[]) => element('tr', cells.map(cell));
  const parts = [element('thead', [row(header)]), element('tbody', rows.map(row))];
  // Scrolls sideways, so the keyboard must reach it.
  return element('div', [element('table', parts)], { class: 'table', tabindex: '0', role: 'group' });
}

function shape(token: Token): Shape[] {
  const t = token as MarkedToken | MathToken;
  switch (t.type) {
    case 'math': {
      const attributes = { class: 'math', 'data-tex': t.tex, ...(t.display ? { 'data-display': '' } : {}) };
      return [element('span', [t.raw.trim()], attributes)];
    }
    case 'heading':
      return [element(`h${t.depth}`, shapes(t.tokens))];
    case 'paragraph':
      return [element('p', shapes(t.tokens))];
    case 'blockquote':
    case 'strong':
    case 'em':
    case 'del':
      return [element(t.type, shapes(t.tokens))];
    case 'list': {
      const items = t.items.map((item) => element('li', shapes(item.tokens)));
      return [element(t.ordered ? 'ol' : 'ul', items, t.ordered && t.start !== 1 ? { start: String(t.start) } : {})];
    }
    case 'hr':
    case 'br':
      return [element(t.type, [])];
    case 'code':
      return [element('pre', [element('code', [t.text])], { tabindex: '0' })];
    case 'codespan':
      return [element('code', [t.text])];
    case 'table':
      return [table(t)];
    case 'link':
      return link(t.href, shapes(t.tokens));
    case 'image':
      // Nothing is ever fetched from elsewhere: an image becomes its description and a link.
      return link(t.href, [t.text || t.href]);
    case 'checkbox':
      return [t.checked ? '☑ ' : '☐ '];
    case 'text':
      return 'tokens' in t && t.tokens ? shapes(t.tokens) : [decodeEntities(t.text)];
    case 'html': // shown as it was written
    case 'escape':
      return [t.text];
    default:
      return [];
  }
}

/** Words that follow each other become one text. */
function shapes(tokens: Token[]): Shape[] {
  const list: Shape[] = [];
  for (const next of tokens.flatMap(shape)) {
    const last = list.at(-1);
    if (typeof next === 'string' && typeof last === 'string') list[list.length - 1] = last + next;
    else list.push(next);
  }
  return list;
}

/** Makes the children of `parent` look as `wanted`, and touches only what differs. */
export function patch(parent: Node, wanted: Shape[]): void {
  let node = parent.firstChild;
  for (const shape of wanted) {
    const fits =
      typeof shape === 'string' ? node instanceof Text : node instanceof HTMLElement && node.localName === shape.tag;
    if (!fits) {
      const fresh = typeof shape === 'string' ? document.createTextNode('') : document.createElement(shape.tag);
      if (node) parent.replaceChild(fresh, node);
      else parent.appendChild(fresh);
      node = fresh;
    }
    if (typeof shape === 'string') {
      if (node?.nodeValue !== shape && node) node.nodeValue = shape;
    } else if (!isSame(node as HTMLElement, shape)) {
      setAttributes(node as HTMLElement, shape.attributes);
      patch(node as HTMLElement, shape.children);
      if (isMath(shape)) void renderMath(node as HTMLElement);
    }
    node = node?.nextSibling ?? null;
  }
  while (node) {
    const next: ChildNode | null = node.nextSibling;
    node.remove();
    node = next;
  }
}

const isMath = (shape: Exclude<Shape, string>): boolean => 'data-tex' in shape.attributes;

/** Whether the formula is there already, perhaps as KaTeX has set it. */
const isSame = (node: HTMLElement, shape: Exclude<Shape, string>): boolean =>
  isMath(shape) &&
  node.dataset['tex'] === shape.attributes['data-tex'] &&
  'display' in node.dataset === 'data-display' in shape.attributes;

function setAttributes(node: HTMLElement, wanted: Record<string, string>): void {
  for (const name of node.getAttributeNames()) if (!(name in wanted)) node.removeAttribute(name);
  for (const [name, value] of Object.entries(wanted)) {
    if (node.getAttribute(name) !== value) node.setAttribute(name, value);
  }
}

function read(token: Token, key: number, open: boolean): MarkdownBlock {
  if (token.type === 'code') {
    const { lang, text } = token as Tokens.Code;
    return { kind: 'code', key, open, language: /^[\w+#.-]+/.exec(lang ?? '')?.[0] ?? '', code: text };
  }
  return { kind: 'words', key, open, item: token.type === 'list', shapes: shape(token) };
}

/**
 * A list as one list an item, each read by itself: long lists are what models write most, and this way only the last
 * item is read again while they grow.
 */
function split(token: Token): Token[] {
  if (token.type !== 'list' || (token as Tokens.List).items.length < 2) return [token];
  return (token as Tokens.List).items.flatMap((item) => marked.lexer(item.raw));
}

/** Some blocks that follow each other. */
export interface Stretch {
  key: number;
  blocks: MarkdownBlock[];
  /** It begins within a list. */
  goesOn: boolean;
}

/** Blocks of a stretch. */
const STRETCH = 12;

/** Reads a text that grows. */
export class MarkdownStream {
  #done = '';
  #blocks: MarkdownBlock[] = [];
  #stretches: Stretch[] = [];

  /** How many times a block was read so far; for tests of the cache. */
  rendered = 0;

  /** The blocks of `text`. Those that were finished in the last call are the same objects as then. */
  update(text: string): MarkdownBlock[] {
    if (!text.startsWith(this.#done)) {
      this.#done = '';
      this.#blocks = [];
      this.#stretches = [];
    }
    const tokens = marked.lexer(text.slice(this.#done.length)).flatMap(split);
    // The last block may still grow: an item, a table, an open fence. Blank lines behind it do not close it.
    let last = tokens.length - 1;
    while (last >= 0 && tokens[last]?.type === 'space') last--;
    const tail: MarkdownBlock[] = [];
    let done = this.#done.length;
    tokens.forEach((token, i) => {
      if (i < last) done += token.raw.length;
      if (token.type === 'space' || token.type === 'def') return;
      const block = read(token, this.#blocks.length + tail.length, i === last);
      this.rendered++;
      if (i < last) this.#blocks.push(block);
      else tail.push(block);
    });
    this.#done = text.slice(0, done);
    return [...this.#blocks, ...tail];
  }

  /**
   * The blocks of `text` in stretches, all but the last of the same length. A stretch whose blocks are finished is the
   * same object from then on: however long the text, only the last one is looked at, laid out and painted again.
   */
  stretches(text: string): Stretch[] {
    const blocks = this.update(text);
    const stretch = (key: number): Stretch => {
      const from = key * STRETCH;
      return {
        key,
        blocks: blocks.slice(from, from + STRETCH),
        goesOn: isItem(blocks[from]) && isItem(blocks[from - 1]),
      };
    };
    while ((this.#stretches.length + 1) * STRETCH <= this.#blocks.length)
      this.#stretches.push(stretch(this.#stretches.length));
    const open: Stretch[] = [];
    for (let key = this.#stretches.length; key * STRETCH < blocks.length; key++) open.push(stretch(key));
    return [...this.#stretches, ...open];
  }
}

const isItem = (block: MarkdownBlock | undefined): boolean => block?.kind === 'words' && block.item;

const inline = new Set(['a', 'strong', 'em', 'del', 'code']);

/** The words of a Markdown text without its marks, for a screen reader. */
export function plainText(markdown: string): string {
  const words = (list: Shape[]): string =>
    list
      .map((s) => (typeof s === 'string' ? s : inline.has(s.tag) ? words(s.children) : ` ${words(s.children)} `))
      .join('');
  return words(shapes(marked.lexer(markdown)))
    .replace(/\s+/g, ' ')
    .trim();
}
