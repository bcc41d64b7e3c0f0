import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';
import { en } from '../src/locales/en.ts';

const HOME = `${import.meta.dirname}/home.html`;
/** Without these the first texts would be drawn twice, in two fonts. */
const FONTS = /^assets\/(inter|jetbrains-mono)-latin-wght-normal-.*\.woff2$/;

/** What stands in the page until the app does: home as a first visitor sees it, in words of the one catalogue. */
export function firstPaintHtml(): string {
  return readFileSync(HOME, 'utf8').replace(/\{\{([\w.]+)\}\}/g, (_, key: string) => textOf(key));
}

function textOf(key: string): string {
  let found: unknown = en;
  for (const name of key.split('.')) found = (found as Record<string, unknown> | undefined)?.[name];
  if (typeof found !== 'string') throw new Error(`home.html asks for a text that is none: ${key}`);
  return found.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** Puts the first paint into `index.html`, and has the fonts that it needs fetched with it. */
export function firstPaint(): Plugin {
  return {
    name: 'first-paint',
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle }) => ({
        html: html.replace('<!-- first paint -->', () => firstPaintHtml()),
        tags: Object.keys(bundle ?? {})
          .filter((name) => FONTS.test(name))
          .map((name) => ({
            tag: 'link',
            attrs: {
              rel: 'preload',
              as: 'font',
              type: 'font/woff2',
              crossorigin: '',
              href: `/${name}`,
            },
            injectTo: 'head-prepend' as const,
          })),
      }),
    },
  };
}
