import { keepLanguage, keptLanguage, type Language, markDocument } from '@reelbook/web/language';
import { deviceStorage } from '@reelbook/web/storage';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import type { en } from '../locales/en.ts';
import type { zhRefusals } from '../locales/zh-refusals.ts';

declare module '@reelbook/web/texts' {
  interface Texts {
    console: typeof en;
    /** Chinese only: in English the server's own texts are shown. */
    refusals: typeof zhRefusals;
  }
}

const catalogues = {
  en: async () => ({ console: (await import('../locales/en.ts')).en }),
  zh: async () => ({
    console: (await import('../locales/zh.ts')).zh,
    refusals: (await import('../locales/zh-refusals.ts')).zhRefusals,
  }),
};

/** Loads the chosen language, by default English. Await it before the first render. */
export async function startI18n(): Promise<void> {
  const language = keptLanguage(deviceStorage) ?? 'en';
  await i18next.use(initReactI18next).init({
    lng: language,
    fallbackLng: false,
    ns: ['console', 'refusals', 'translation'],
    defaultNS: 'translation',
    resources: { [language]: await textsOf(language) },
    interpolation: { escapeValue: false },
  });
  markDocument(language);
}

export async function chooseLanguage(language: Language): Promise<void> {
  if (!i18next.hasResourceBundle(language, 'console')) {
    for (const [space, texts] of Object.entries(await textsOf(language))) {
      i18next.addResourceBundle(language, space, texts);
    }
  }
  keepLanguage(deviceStorage, language);
  await i18next.changeLanguage(language);
  markDocument(language);
}

/** Shared components use the default namespace. */
async function textsOf(language: Language) {
  const texts = await catalogues[language]();
  return { ...texts, translation: { common: texts.console.common } };
}
