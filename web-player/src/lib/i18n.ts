import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import type { Catalogue } from '../locales/en.ts';
import { deviceStorage } from './storage.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: Catalogue };
  }
}

const LANGUAGE_KEY = 'language';

export type Language = 'en' | 'zh';

const catalogues: Record<Language, () => Promise<Catalogue>> = {
  en: async () => (await import('../locales/en.ts')).en,
  zh: async () => (await import('../locales/zh.ts')).zh,
};

/** Loads the chosen language, English until one was chosen. Must be awaited before the first render. */
export async function startI18n(): Promise<void> {
  const chosen = deviceStorage.get(LANGUAGE_KEY) === 'zh' ? 'zh' : 'en';
  await i18next.use(initReactI18next).init({
    lng: chosen,
    fallbackLng: false,
    resources: { [chosen]: { translation: await catalogues[chosen]() } },
    interpolation: { escapeValue: false },
  });
  mark(chosen);
}

export async function chooseLanguage(language: Language): Promise<void> {
  if (!i18next.hasResourceBundle(language, 'translation')) {
    i18next.addResourceBundle(language, 'translation', await catalogues[language]());
  }
  await i18next.changeLanguage(language);
  deviceStorage.set(LANGUAGE_KEY, language);
  mark(language);
}

function mark(language: Language): void {
  document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en';
}
