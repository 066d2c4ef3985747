import js from '@eslint/js';
import globals from 'globals';
import svelte from 'eslint-plugin-svelte';
import ts from 'typescript-eslint';
import svelteConfig from './svelte.config.js';

export default ts.config(
  { ignores: ['dist/', 'src/lib/api.gen.ts'] },
  js.configs.recommended,
  ...ts.configs.strict,
  ...svelte.configs.recommended,
  { languageOptions: { globals: { ...globals.browser, ...globals.node } } },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser, extraFileExtensions: ['.svelte'], svelteConfig } },
  },
  {
    rules: {
      // Nothing writes HTML: answers become nodes, one by one (lib/markdown.ts).
      'svelte/no-at-html-tags': 'error',
      'svelte/no-navigation-without-resolve': 'off', // a SvelteKit rule
      'svelte/prefer-svelte-reactivity': 'off', // sets and maps here are made anew, never mutated
    },
  },
);
