import { readFileSync } from 'node:fs';
import type { Plugin, Rolldown } from 'vite';
import { en } from '../src/locales/en.ts';

type Bundle = Rolldown.OutputBundle;

const HOME = `${import.meta.dirname}/home.html`;
/** Preloaded: otherwise the first texts would be drawn twice, in two fonts. */
const FONTS = /^assets\/(inter|jetbrains-mono)-latin-wght-normal-.*\.woff2$/;

/** The first paint: home as a new visitor sees it, with the texts of the English catalogue. The app replaces it. */
function firstPaintHtml(): string {
  return readFileSync(HOME, 'utf8').replace(/\{\{([\w.]+)\}\}/g, (_, key: string) => textOf(key));
}

function textOf(key: string): string {
  let found: unknown = en;
  for (const name of key.split('.')) found = (found as Record<string, unknown> | undefined)?.[name];
  if (typeof found !== 'string') throw new Error(`home.html uses an unknown text key: ${key}`);
  return found.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** Inserts the first paint into `index.html`, and preloads fonts and the first scripts in parallel. */
export function firstPaint(): Plugin {
  return {
    name: 'first-paint',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {}, chunk }) {
        const fonts = Object.keys(bundle).filter((name) => FONTS.test(name));
        const asFont = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: '' };
        const scripts = chunk ? loadedFirst(bundle, chunk.dynamicImports) : [];
        const asScript = { rel: 'modulepreload', crossorigin: '' };
        return {
          html: html.replace('<!-- first paint -->', () => firstPaintHtml()),
          tags: [
            ...fonts.map((name) => link({ ...asFont, href: `/${name}` }, 'head-prepend')),
            ...scripts.map((name) => link({ ...asScript, href: `/${name}` }, 'head')),
          ],
        };
      },
    },
  };
}

const link = (attrs: Record<string, string>, injectTo: 'head' | 'head-prepend') => ({
  tag: 'link',
  attrs,
  injectTo,
});

/** These chunks and their static imports. */
function loadedFirst(bundle: Bundle, names: readonly string[]): string[] {
  const found = new Set<string>();
  const add = (name: string) => {
    const chunk = bundle[name];
    if (found.has(name) || chunk?.type !== 'chunk') return;
    found.add(name);
    chunk.imports.forEach(add);
  };
  names.forEach(add);
  return [...found];
}
