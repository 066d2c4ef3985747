import { readdirSync, rmSync } from 'node:fs';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { svelteTesting } from '@testing-library/svelte/vite';
import { defineConfig } from 'vitest/config';
import type { Plugin } from 'vite';

/** Empties dist before a build, but for the .gitkeep that lets the Go module compile without a build. */
function cleanDist(): Plugin {
  let writes = true;
  return {
    name: 'clean-dist',
    apply: 'build',
    configResolved(config) {
      writes = config.build.write;
    },
    buildStart() {
      if (!writes) return; // it is only asked what would be in it
      for (const name of readdirSync('dist')) {
        if (name !== '.gitkeep') rmSync(`dist/${name}`, { recursive: true });
      }
    },
  };
}

/** Messages of Svelte and marked name pages on the web. Nothing fetches them, but an offline app need not carry addresses. */
function stripAddresses(): Plugin {
  return {
    name: 'strip-addresses',
    apply: 'build',
    renderChunk: (code) => code.replaceAll('https://svelte.dev/e/', 'svelte/').replaceAll('https://github.com/', ''),
  };
}

/** Every view that can show the page reads WOFF2; the older formats of KaTeX's fonts need not be carried. */
function modernFonts(): Plugin {
  return {
    name: 'modern-fonts',
    enforce: 'pre',
    transform: (code, id) =>
      id.endsWith('katex.css')
        ? code.replace(/,\s*url\([^)]*\.(?:woff|ttf)\) format\("(?:woff|truetype)"\)/g, '')
        : undefined,
  };
}

// The dev server hands /api to a running `recollect serve --addr 127.0.0.1:8090`.
export default defineConfig({
  plugins: [svelte(), svelteTesting(), cleanDist(), stripAddresses(), modernFonts()],
  base: './',
  build: {
    target: 'safari16',
    outDir: 'dist',
    emptyOutDir: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 400,
    rolldownOptions: { checks: { pluginTimings: false } },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:8090' } },
  test: { environment: 'jsdom', include: ['tests/**/*.test.ts'], setupFiles: ['tests/setup.ts'] },
});
