// Highlighting of finished code. Fetched when the first code block is at rest, and with it the one language that it is
// in; the languages are those that people ask models for.
import hljs from 'highlight.js/lib/core';
import type { LanguageFn } from 'highlight.js';
import type { Shape } from './markdown';

const languages: Record<string, () => Promise<{ default: LanguageFn }>> = {
  bash: () => import('highlight.js/lib/languages/bash'),
  c: () => import('highlight.js/lib/languages/c'),
  cpp: () => import('highlight.js/lib/languages/cpp'),
  css: () => import('highlight.js/lib/languages/css'),
  diff: () => import('highlight.js/lib/languages/diff'),
  go: () => import('highlight.js/lib/languages/go'),
  ini: () => import('highlight.js/lib/languages/ini'),
  java: () => import('highlight.js/lib/languages/java'),
  javascript: () => import('highlight.js/lib/languages/javascript'),
  json: () => import('highlight.js/lib/languages/json'),
  python: () => import('highlight.js/lib/languages/python'),
  rust: () => import('highlight.js/lib/languages/rust'),
  sql: () => import('highlight.js/lib/languages/sql'),
  typescript: () => import('highlight.js/lib/languages/typescript'),
  xml: () => import('highlight.js/lib/languages/xml'),
  yaml: () => import('highlight.js/lib/languages/yaml'),
};
/** Other names that models give to languages. */
const aliases: Record<string, string> = {
  'c++': 'cpp',
  cjs: 'javascript',
  console: 'bash',
  golang: 'go',
  h: 'c',
  hpp: 'cpp',
  html: 'xml',
  js: 'javascript',
  jsonc: 'json',
  jsx: 'javascript',
  mjs: 'javascript',
  patch: 'diff',
  py: 'python',
  rs: 'rust',
  sh: 'bash',
  shell: 'bash',
  svg: 'xml',
  toml: 'ini',
  ts: 'typescript',
  tsx: 'typescript',
  yml: 'yaml',
  zsh: 'bash',
};
/** Languages that stand within others. */
const inner: Record<string, string[]> = { xml: ['css', 'javascript'] };

/** Fetches a language, and those that stand within it; false for one that is not known. */
async function learn(name: string): Promise<boolean> {
  const define = Object.hasOwn(languages, name) ? languages[name] : undefined;
  if (!define) return false;
  if (!hljs.getLanguage(name)) {
    const [{ default: language }] = await Promise.all([define(), ...(inner[name] ?? []).map(learn)]);
    hljs.registerLanguage(name, language);
  }
  return true;
}

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
export async function highlighted(code: string, named: string): Promise<Shape[] | undefined> {
  const language = Object.hasOwn(aliases, named) ? (aliases[named] ?? named) : named;
  if (!(await learn(language))) return undefined;
  const { _emitter } = hljs.highlight(code, { language, ignoreIllegals: true });
  return shapes((_emitter as unknown as { rootNode: Node }).rootNode);
}
