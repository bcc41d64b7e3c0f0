import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { type BuildOptions, defineConfig } from 'vite';
import { firstPaint } from './first-paint/plugin.ts';
import { verifierPage } from './verifier/build.ts';

/** Build options, also read by vite's `build({ root })`; the output is `web-player/dist`. */
export const buildOptions: BuildOptions = {
  outDir: 'dist',
  emptyOutDir: true,
  target: 'es2022',
  sourcemap: false,
  // No inlining: a data: URL would need a looser content policy.
  assetsInlineLimit: 0,
  modulePreload: { polyfill: false },
};

// Forces a production build: a test's NODE_ENV would select the development build of React, 50 % larger.
export default defineConfig(({ command }) => {
  if (command === 'build') process.env.NODE_ENV = 'production';
  return {
    root: import.meta.dirname,
    plugins: [react(), tailwindcss(), firstPaint(), verifierPage()],
    build: buildOptions,
  };
});
