import { fileURLToPath } from 'node:url';
import { importedBy, reactDom } from '@reelbook/web/chunks';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { type BuildOptions, defineConfig } from 'vite';
import { firstPaint } from './first-paint/plugin.ts';
import { verifierPage } from './verifier/build.ts';

/** The package exports only its development build to bundlers: the same library with warnings. */
const ROUTER = {
  find: /^react-router$/,
  replacement: fileURLToPath(
    import.meta.resolve('react-router').replace(/development.*/, 'production/index.mjs'),
  ),
};

const SOURCES = `${import.meta.dirname}/src`;

/**
 * Few chunks: a request costs the latency of the network, and small files compress badly. A module belongs to the first group
 * that has it. Pages, dialogs and what only they share are split as usual.
 */
const groups = [
  importedBy('core', `${SOURCES}/main.ts`),
  reactDom,
  importedBy(
    'shell',
    `${SOURCES}/start.tsx`,
    `${SOURCES}/features/home/home.tsx`,
    `${SOURCES}/features/home/hero-symbol.tsx`,
  ),
  importedBy('signed-in', `${SOURCES}/lib/seeds.ts`, `${SOURCES}/features/session/signed-in.tsx`),
  {
    ...importedBy('play', `${SOURCES}/features/slot-machine/slot-machine.tsx`),
    minShareCount: 2,
  },
  importedBy('wallets', `${SOURCES}/features/session/watch-wallet.ts`),
];

/** Build options, also read by vite's `build({ root })`; the output is `web-player/dist`. */
export const buildOptions: BuildOptions = {
  outDir: 'dist',
  emptyOutDir: true,
  target: 'es2022',
  sourcemap: false,
  // No inlining: a data: URL would need a looser content policy.
  assetsInlineLimit: 0,
  modulePreload: { polyfill: false },
  cssCodeSplit: false,
  rolldownOptions: { output: { codeSplitting: { groups } } },
};

// Forces a production build: a test's NODE_ENV would select the development build of React, 50 % larger.
export default defineConfig(({ command }) => {
  if (command === 'build') process.env.NODE_ENV = 'production';
  return {
    root: import.meta.dirname,
    resolve: { alias: command === 'build' ? [ROUTER] : [] },
    plugins: [react(), tailwindcss(), firstPaint(), verifierPage()],
    build: buildOptions,
  };
});
