import { deviceStorage } from '@reelbook/web/storage';
import { commonTexts } from '@reelbook/web/texts';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import type { en } from '../locales/en.ts';
import type { zhRefusals } from '../locales/zh-refusals.ts';

declare module '@reelbook/web/texts' {
  interface Texts {
    console: typeof en;
    /** In Chinese alone: in English the server's own words are shown. */
    refusals: typeof zhRefusals;
  }
}

const LANGUAGE_KEY = 'language';

export type Language = 'en' | 'zh';

const catalogues = {
  en: async () => ({ console: (await import('../locales/en.ts')).en }),
  zh: async () => ({
    console: (await import('../locales/zh.ts')).zh,
    refusals: (await import('../locales/zh-refusals.ts')).zhRefusals,
  }),
};

/** Loads the chosen language, English until one was chosen. Must be awaited before the first render. */
export async function startI18n(): Promise<void> {
  const language = deviceStorage.get(LANGUAGE_KEY) === 'zh' ? 'zh' : 'en';
  await i18next.use(initReactI18next).init({
    lng: language,
    fallbackLng: false,
    ns: ['console', 'refusals', 'translation'],
    defaultNS: 'translation',
    resources: { [language]: await textsOf(language) },
    interpolation: { escapeValue: false },
  });
  mark(language);
}

export async function chooseLanguage(language: Language): Promise<void> {
  if (!i18next.hasResourceBundle(language, 'console')) {
    for (const [space, texts] of Object.entries(await textsOf(language))) {
      i18next.addResourceBundle(language, space, texts);
    }
  }
  deviceStorage.set(LANGUAGE_KEY, language);
  await i18next.changeLanguage(language);
  mark(language);
}

/** `lang` of the document. */
export function langOf(language: Language): string {
  return language === 'zh' ? 'zh-CN' : 'en';
}

async function textsOf(language: Language) {
  return { ...(await catalogues[language]()), translation: { common: commonTexts[language] } };
}

function mark(language: Language): void {
  document.documentElement.lang = langOf(language);
}
