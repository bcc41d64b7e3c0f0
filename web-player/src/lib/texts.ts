import { deviceStorage } from '@reelbook/web/storage';
import { createStore } from '@reelbook/web/store';
import { keptLanguage, type Language } from './language.ts';

/** The player's choice; null until chosen: then the mini-games are Chinese and the rest is in the language of the browser. */
export const chosenLanguage = createStore(keptLanguage(deviceStorage));

/** The language of the page; `theme.js` has set it before the first paint. */
export const pageLanguage = (): Language =>
  document.documentElement.lang.startsWith('zh') ? 'zh' : 'en';

/** Shell and home first; all other texts are loaded with the first part that needs them. */
export const first = {
  en: async () => (await import('../locales/en.ts')).en,
  zh: async () => (await import('../locales/zh.ts')).zh,
};
export const others = {
  en: async () => (await import('../locales/en-pages.ts')).enPages,
  zh: async () => (await import('../locales/zh-pages.ts')).zhPages,
};
