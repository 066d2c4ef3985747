// Markdown for answers that are still being written. The text is cut into blocks; a block that can no longer change is
// rendered once and kept, and with each new piece of text only the tail is read again.
import DOMPurify from 'dompurify';
import { Marked, type Token, type Tokens } from 'marked';

export type MarkdownBlock =
  | { kind: 'html'; key: number; html: string; item: boolean }
  | { kind: 'code'; key: number; language: string; code: string };

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escapeHtml = (s: string): string => s.replace(/[&<>"']/g, (c) => escapes[c] as string);

/** Web and mail addresses only; everything else a model may write as a link stays text. */
const isSafeLink = (href: string): boolean => /^(?:https?:\/\/|mailto:)/i.test(href);

const marked = new Marked({
  gfm: true,
  renderer: {
    // HTML that a model writes is shown, never run.
    html: ({ text }) => escapeHtml(text),
    link({ href, tokens }) {
      const label = this.parser.parseInline(tokens);
      return isSafeLink(href) ? `<a href="${escapeHtml(href)}" rel="noopener noreferrer">${label}</a>` : label;
    },
    // Nothing is ever fetched from elsewhere: an image becomes its description and a link.
    image({ href, text }) {
      const label = escapeHtml(text || href);
      return isSafeLink(href) ? `<a href="${escapeHtml(href)}" rel="noopener noreferrer">${label}</a>` : label;
    },
    checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
    table({ header, rows }) {
      const cell = (c: Tokens.TableCell) => {
        const tag = c.header ? 'th' : 'td';
        const align = c.align ? ` class="align-${c.align}"` : '';
        return `<${tag}${align}>${this.parser.parseInline(c.tokens)}</${tag}>`;
      };
      const row = (cells: Tokens.TableCell[]) => `<tr>${cells.map(cell).join('')}</tr>`;
      return `<div class="table" tabindex="0" role="group"><table><thead>${row(header)}</thead><tbody>${rows.map(row).join('')}</tbody></table></div>`;
    },
    code: ({ text }) => `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>`,
  },
});

const purify: { ALLOWED_TAGS: string[]; ALLOWED_ATTR: string[] } = {
  ALLOWED_TAGS:
    'a p br hr h1 h2 h3 h4 h5 h6 ul ol li blockquote pre code em strong del table thead tbody tr th td div'.split(' '),
  ALLOWED_ATTR: ['href', 'rel', 'class', 'start', 'tabindex', 'role'],
};

function render(token: Token, key: number): MarkdownBlock {
  if (token.type === 'code') {
    const { lang, text } = token as Tokens.Code;
    return { kind: 'code', key, language: /^[\w+#.-]+/.exec(lang ?? '')?.[0] ?? '', code: text };
  }
  return { kind: 'html', key, item: token.type === 'list', html: DOMPurify.sanitize(marked.parser([token]), purify) };
}

/**
 * A list as one list an item, each read by itself: long lists are what models write most, and this way only the last
 * item is read again while they grow.
 */
function split(token: Token): Token[] {
  if (token.type !== 'list' || (token as Tokens.List).items.length < 2) return [token];
  return (token as Tokens.List).items.flatMap((item) => marked.lexer(item.raw));
}

/** Renders a text that grows. */
export class MarkdownStream {
  #done = '';
  #blocks: MarkdownBlock[] = [];

  /** How many times a block was rendered so far; for tests of the cache. */
  rendered = 0;

  /** The blocks of `text`. Those that were finished in the last call are the same objects as then. */
  update(text: string): MarkdownBlock[] {
    if (!text.startsWith(this.#done)) {
      this.#done = '';
      this.#blocks = [];
    }
    const tokens = marked.lexer(text.slice(this.#done.length)).flatMap(split);
    // The last block may still grow: an item, a table, an open fence. Blank lines behind it do not close it.
    let last = tokens.length - 1;
    while (last >= 0 && tokens[last]?.type === 'space') last--;
    const tail: MarkdownBlock[] = [];
    tokens.forEach((token, i) => {
      if (i < last) this.#done += token.raw;
      if (token.type === 'space' || token.type === 'def') return;
      const block = render(token, this.#blocks.length + tail.length);
      this.rendered++;
      if (i < last) this.#blocks.push(block);
      else tail.push(block);
    });
    return [...this.#blocks, ...tail];
  }
}

/** The words of a Markdown text without its marks, for a screen reader. */
export function plainText(markdown: string): string {
  const html = DOMPurify.sanitize(marked.parse(markdown, { async: false }), purify);
  return new DOMParser().parseFromString(html, 'text/html').body.textContent.replace(/\s+/g, ' ').trim();
}
