import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { type BuildOptions, defineConfig } from 'vite';

/** How the console is built; the output is `web-admin/dist`. */
const buildOptions: BuildOptions = {
  outDir: 'dist',
  emptyOutDir: true,
  target: 'es2022',
  sourcemap: false,
  // Small files stay files: a data: URL would need a looser content policy.
  assetsInlineLimit: 0,
  modulePreload: { polyfill: false },
};

// Built for operators whoever starts it: a test's NODE_ENV would give React for developers.
export default defineConfig(({ command }) => {
  if (command === 'build') process.env.NODE_ENV = 'production';
  return {
    root: import.meta.dirname,
    plugins: [react(), tailwindcss()],
    build: buildOptions,
    worker: { format: 'es' },
  };
});
