import { describe, expect, test } from 'vitest';
import { MarkdownStream, patch, plainText, type MarkdownBlock } from '../src/lib/markdown';

const whole = (text: string) => new MarkdownStream().update(text);
const show = (block: MarkdownBlock, holder = document.createElement('div')) => {
  if (block.kind === 'words') patch(holder, block.shapes);
  return holder;
};
const content = (blocks: MarkdownBlock[]) =>
  blocks.map((b) => (b.kind === 'words' ? show(b).innerHTML : `${b.language}:${b.code}`));

const sample = [
  '# Title',
  '',
  'A paragraph with **bold**, `code` and [a link](https://example.org/a?b=1&c=2).',
  'It goes on.',
  '',
  '- one',
  '- two',
  '',
  '  still two',
  '- three',
  '',
  '```python',
  'def f():',
  '',
  '    return "```"',
  '```',
  '',
  '| a | b |',
  '|---|--:|',
  '| 1 | 2 |',
  '',
  '> quoted',
  '> twice',
  '',
  '1. 第一',
  '2. 第二',
  '',
  '最后一段。',
].join('\n');

describe('a growing answer', () => {
  test('looks in the end as if it had come at once, however it was cut', () => {
    for (const step of [1, 3, 7, 50]) {
      const stream = new MarkdownStream();
      for (let i = 0; i <= sample.length; i += step) stream.update(sample.slice(0, i));
      expect(content(stream.update(sample))).toEqual(content(whole(sample)));
    }
  });

  test('finished blocks are not rendered again', () => {
    const paragraph = 'Some words in a paragraph that is long enough to matter.\n\n';
    const stream = new MarkdownStream();
    let text = '';
    for (let i = 0; i < 100; i++) {
      text += paragraph;
      stream.update(text);
    }
    expect(stream.rendered).toBeLessThan(250);
    const first = stream.update(text)[0];
    expect(stream.update(text + 'more')[0]).toBe(first);
  });

  test('finished stretches stay as they are while the last one grows', () => {
    const items = Array.from({ length: 40 }, (_, i) => `- item ${i}\n`);
    const stream = new MarkdownStream();
    const early = stream.stretches(items.slice(0, 20).join(''));
    const late = stream.stretches(items.join(''));
    expect(late[0]).toBe(early[0]);
    expect(late.flatMap((s) => s.blocks)).toHaveLength(40);
    expect(late.map((s) => s.goesOn)).toEqual([false, true, true, true]);
    expect(late.flatMap((s) => s.blocks).filter((b) => b.open)).toHaveLength(1);
  });

  test('a long list costs no more with each item', () => {
    const stream = new MarkdownStream();
    let text = '';
    for (let i = 1; i <= 200; i++) {
      text += `${i}. An item of a long list.\n`;
      stream.update(text);
    }
    expect(stream.rendered).toBeLessThan(450);
    const holder = document.createElement('div');
    holder.innerHTML = content(stream.update(text)).join('');
    expect(holder.querySelectorAll('li')).toHaveLength(200);
    expect([...holder.querySelectorAll('ol')].map((ol) => ol.start)).toEqual(
      Array.from({ length: 200 }, (_, i) => i + 1),
    );
  });

  test('words that are shown stay in place while more come', () => {
    const stream = new MarkdownStream();
    const holder = document.createElement('div');
    const grow = (text: string) => show(stream.update(text)[0] as MarkdownBlock, holder);
    grow('A **bold** word');
    const [paragraph, bold] = [holder.querySelector('p'), holder.querySelector('strong')];
    grow('A **bold** word and *more* of [it](https://example.org)');
    expect(holder.innerHTML).toBe(
      '<p>A <strong>bold</strong> word and <em>more</em> of <a href="https://example.org" rel="noopener noreferrer">it</a></p>',
    );
    expect(holder.querySelector('p')).toBe(paragraph);
    expect(holder.querySelector('strong')).toBe(bold);
    show(whole('1. one')[0] as MarkdownBlock, holder);
    expect(holder.innerHTML).toBe('<ol><li>one</li></ol>');
  });

  test('an answer that is written anew is read anew', () => {
    const stream = new MarkdownStream();
    stream.update('first\n\nsecond\n\nthird');
    expect(content(stream.update('other'))).toEqual(content(whole('other')));
  });

  test('an open fence shows as code at once', () => {
    expect(whole('```js\nlet a')).toEqual([{ kind: 'code', key: 0, open: true, language: 'js', code: 'let a' }]);
  });
});

describe('what a model may not do', () => {
  test.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<iframe src="https://example.org"></iframe>',
    '[x](javascript:alert(1))',
    '[x](data:text/html,hi)',
    '![tracker](https://example.org/pixel.png)',
    '<a href="javascript:alert(1)">x</a>',
    '<svg onload=alert(1)>',
    '```html\n<script>alert(1)</script>\n```',
  ])('%s neither runs nor fetches anything', (text) => {
    const holder = document.createElement('div');
    for (const block of whole(text)) holder.append(...show(block).childNodes);
    expect(holder.querySelector('script, img, iframe, svg, object, embed, style, link')).toBeNull();
    for (const element of holder.querySelectorAll('*')) {
      for (const { name, value } of element.attributes) {
        expect(name).not.toMatch(/^on|^src|^style/);
        expect(value).not.toMatch(/^(?:javascript|data):/i);
      }
    }
  });

  test('HTML is shown as it was written', () => {
    expect(plainText('a <b>bold</b> word')).toBe('a <b>bold</b> word');
  });

  test('entities are the characters they name, and hide no tag', () => {
    expect(plainText('1 &lt; 2 &amp; 3, &copy; 2026, `&lt;`, &unknown;')).toBe('1 < 2 & 3, © 2026, &lt;, &unknown;');
    expect(show(whole('&lt;img src=x&gt; &lt;/textarea&gt;')[0] as MarkdownBlock).querySelector('p *')).toBeNull();
  });

  test('an image becomes a link with its description', () => {
    expect(content(whole('![a cat](https://example.org/cat.png)'))[0]).toContain(
      '<a href="https://example.org/cat.png" rel="noopener noreferrer">a cat</a>',
    );
  });
});

test('a screen reader hears words, not marks', () => {
  expect(plainText('## Title\n\n- **one**\n- `two`')).toBe('Title one two');
});

describe('mathematics', () => {
  const formulas = (text: string) =>
    whole(text).flatMap((b) =>
      [...show(b).querySelectorAll<HTMLElement>('.math')].map(
        (m) => `${m.dataset['display'] ?? 'inline'}:${m.dataset['tex']}`,
      ),
    );

  test.each([
    ['the area \\(a_1^2 * b\\) of it', ['inline:a_1^2 * b']],
    ['the area $a_1 + b_1$, or $x$.', ['inline:a_1 + b_1', 'inline:x']],
    ['$$\nE = mc^2\n$$', [':E = mc^2']],
    ['\\[ \\frac{a}{b} \\]', [':\\frac{a}{b}']],
    ['so $$x$$ holds', [':x']],
    ['面积是$S=\\pi r^2$。', ['inline:S=\\pi r^2']],
    ['面积是 $S=\\pi r^2$。', ['inline:S=\\pi r^2']],
  ])('%s', (text, found) => expect(formulas(text)).toEqual(found));

  test.each([
    'It costs $5 and $6.',
    'From $5-$6 to US$20 or A$30.',
    'echo $HOME/$USER and $PATH',
    'a $ b $ c',
    '原价$5，现价$4。',
    '共$5，再加$',
    'an open $$ formula\n\nand $$ more',
    '`$x$` is code',
    'price: \\$5 and $5',
  ])('no mathematics: %s', (text) => expect(formulas(text)).toEqual([]));

  test('a formula that grows is set again only when it has changed', () => {
    const holder = document.createElement('div');
    const at = (text: string) => {
      const [block] = whole(text);
      if (block) show(block, holder);
      return holder.querySelector('.math');
    };
    const formula = at('with $x$ and');
    formula?.replaceChildren('set by KaTeX');
    expect(at('with $x$ and more words')?.textContent).toBe('set by KaTeX');
    expect(at('with $y$ and more words')?.textContent).toBe('$y$');
  });

  test('KaTeX sets it, and leaves alone what it cannot read', async () => {
    const { render } = await import('../src/lib/katex');
    const node = document.createElement('span');
    render('\\frac{1}{2}', node, false);
    expect(node.querySelector('math')).not.toBeNull();
    const broken = document.createElement('span');
    broken.textContent = 'as written';
    expect(() => render('\\frac{1', broken, false)).toThrow();
    expect(broken.textContent).toBe('as written');
    render('\\href{javascript:alert(1)}{x} \\includegraphics{http://a/b.png}', node, false);
    expect(node.querySelector('a, img')).toBeNull();
  });
});

describe('highlighting', () => {
  test('tells parts of code apart and changes no character', async () => {
    const { highlighted } = await import('../src/lib/highlight');
    const code = 'def f(x):\n    return "<b>&" # done\n';
    const holder = document.createElement('code');
    patch(holder, (await highlighted(code, 'py')) ?? []);
    expect(holder.textContent).toBe(code);
    expect(holder.querySelector('.k')?.textContent).toBe('def');
    expect(holder.querySelector('.s')?.textContent).toBe('"<b>&"');
    expect(await highlighted(code, 'klingon')).toBeUndefined();
  });
});
