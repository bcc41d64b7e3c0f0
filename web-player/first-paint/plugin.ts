import { readFileSync } from 'node:fs';
import type { Plugin, Rolldown } from 'vite';
import { paths } from '../src/lib/paths.ts';
import { en } from '../src/locales/en.ts';

const HOME = `${import.meta.dirname}/home.html`;
/** Preloaded: otherwise the first texts would be drawn twice, in two fonts. */
const FONTS = /^assets\/(inter|jetbrains-mono)-latin-wght-normal-.*\.woff2$/;
/** Chunks that the entry loads first, on every page. */
const NEXT = new Set(['react-dom', 'shell']);
const THEME = 'src="/theme.js"';
const SLOT_CHUNKS = ['slot-machine', 'play', 'signed-in'];
const TEXT_CHUNKS = ['en', 'en-pages', 'zh', 'zh-pages'];

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

/** Files that `theme.js` requests, by path of a page and by chunk of texts. */
function laterScripts(bundle: Rolldown.OutputBundle): Record<string, readonly string[]> {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
  const named = (name: string) => {
    const found = chunks.find((chunk) => chunk.name === name);
    if (!found) throw new Error(`there is no chunk ${name}`);
    return `/${found.fileName}`;
  };
  return {
    [paths.slotMachine]: SLOT_CHUNKS.map(named),
    ...Object.fromEntries(TEXT_CHUNKS.map((name) => [name, [named(name)]])),
  };
}

/** Inserts the first paint into `index.html`, and preloads fonts and the scripts that follow the entry. */
export function firstPaint(): Plugin {
  return {
    name: 'first-paint',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        if (!bundle) return html.replace('<!-- first paint -->', () => firstPaintHtml());
        const fonts = Object.keys(bundle).filter((name) => FONTS.test(name));
        const asFont = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: '' };
        const scripts = Object.values(bundle).filter(
          ({ type, name }) => type === 'chunk' && NEXT.has(name ?? ''),
        );
        const asScript = { rel: 'modulepreload', crossorigin: '' };
        return {
          html: html
            .replace('<!-- first paint -->', () => firstPaintHtml())
            .replace(
              THEME,
              () => `${THEME} data-scripts='${JSON.stringify(laterScripts(bundle))}'`,
            ),
          tags: [
            ...fonts.map((name) => link({ ...asFont, href: `/${name}` }, 'head-prepend')),
            ...scripts.map(({ fileName }) => link({ ...asScript, href: `/${fileName}` }, 'head')),
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
