import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { type BuildOptions, defineConfig } from 'vite';

/** Build options of the console; the output is `web-admin/dist`. */
const buildOptions: BuildOptions = {
  outDir: 'dist',
  emptyOutDir: true,
  target: 'es2022',
  sourcemap: false,
  // No inlined files: data: URLs would need a looser content security policy.
  assetsInlineLimit: 0,
  modulePreload: { polyfill: false },
};

// Always the production build of React, also when a test with another NODE_ENV builds it.
export default defineConfig(({ command }) => {
  if (command === 'build') process.env.NODE_ENV = 'production';
  return {
    root: import.meta.dirname,
    plugins: [react(), tailwindcss()],
    build: buildOptions,
    worker: { format: 'es' },
  };
});
