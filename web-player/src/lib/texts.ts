import { deviceStorage } from '@reelbook/web/storage';
import { createStore } from '@reelbook/web/store';
import { keptLanguage } from './language.ts';

/** The player's choice; null until chosen: then the mini-games are Chinese and the rest is English. */
export const chosenLanguage = createStore(keptLanguage(deviceStorage));

/** Shell and home first; all other texts are loaded with the first part that needs them. */
export const first = {
  en: async () => (await import('../locales/en.ts')).en,
  zh: async () => (await import('../locales/zh.ts')).zh,
};
export const others = {
  en: async () => (await import('../locales/en-pages.ts')).enPages,
  zh: async () => (await import('../locales/zh-pages.ts')).zhPages,
};
