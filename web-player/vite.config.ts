import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { type BuildOptions, defineConfig } from 'vite';
import { firstPaint } from './first-paint/plugin.ts';
import { verifierPage } from './verifier/build.ts';

/** How the app is built; `build({ root })` of vite reads it too, the output is `web-player/dist`. */
export const buildOptions: BuildOptions = {
  outDir: 'dist',
  emptyOutDir: true,
  target: 'es2022',
  sourcemap: false,
  // Small files stay files: a data: URL would need a looser content policy.
  assetsInlineLimit: 0,
  modulePreload: { polyfill: false },
};

// Built for players whoever starts it: a test's NODE_ENV would give React for developers, half as large again.
export default defineConfig(({ command }) => {
  if (command === 'build') process.env.NODE_ENV = 'production';
  return {
    root: import.meta.dirname,
    plugins: [react(), tailwindcss(), firstPaint(), verifierPage()],
    build: buildOptions,
  };
});
