// Highlighting of finished code. Fetched when the first code block is at rest; the languages are those that people ask
// models for.
import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import go from 'highlight.js/lib/languages/go';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import rust from 'highlight.js/lib/languages/rust';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import type { Shape } from './markdown';

const languages = {
  bash,
  c,
  cpp,
  css,
  diff,
  go,
  ini,
  java,
  javascript,
  json,
  python,
  rust,
  sql,
  typescript,
  xml,
  yaml,
};
for (const [name, define] of Object.entries(languages)) hljs.registerLanguage(name, define);
hljs.registerAliases('shell', { languageName: 'bash' });

/** What is told apart, in ink only: words of the language, what is quoted or said aside, what is defined. */
function kind(scope: string): string {
  if (/^(keyword|built_in|literal|type|tag|name|section|addition)/.test(scope)) return 'k';
  if (/^(string|regexp|comment|quote|deletion|meta)/.test(scope)) return 's';
  return scope.startsWith('title') ? 'f' : '';
}

interface Node {
  scope?: string;
  children: (Node | string)[];
}

function shapes({ children }: Node): Shape[] {
  return children.flatMap((child): Shape[] => {
    if (typeof child === 'string') return [child];
    const as = kind(child.scope ?? '');
    return as === '' ? shapes(child) : [{ tag: 'span', attributes: { class: as }, children: shapes(child) }];
  });
}

/** The code with its parts told apart; undefined for a language that is not known. */
export function highlighted(code: string, language: string): Shape[] | undefined {
  if (!hljs.getLanguage(language)) return undefined;
  const { _emitter } = hljs.highlight(code, { language, ignoreIllegals: true });
  return shapes((_emitter as unknown as { rootNode: Node }).rootNode);
}
