import { deviceStorage } from '@reelbook/web/storage';
import { toast } from '@reelbook/web/toasts';
import i18next, { type i18n } from 'i18next';
import { initReactI18next } from 'react-i18next';
import type { en } from '../locales/en.ts';
import type { enPages } from '../locales/en-pages.ts';
import { keepLanguage, keptLanguage, type Language, markDocument } from './language.ts';
import { chosenLanguage, first, others, pageLanguage } from './texts.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: typeof en & typeof enPages };
  }
}

const SPACE = 'translation';

const allTexts = new Map<Language, Promise<void>>();
let wantsOthers = false;
/** By the last choice, in any tab. */
let asked: Language | null = null;

/** Loads the language of the page. Must be awaited before the first render. */
export async function startI18n(): Promise<void> {
  const language = pageLanguage();
  await i18next.use(initReactI18next).init({
    lng: language,
    fallbackLng: false,
    resources: { [language]: { [SPACE]: await first[language]() } },
    interpolation: { escapeValue: false },
  });
  // Chosen in another tab. Offline its texts are missing, and the language stays.
  window.addEventListener('storage', () => {
    const kept = keptLanguage(deviceStorage);
    if (kept !== null && kept !== chosenLanguage.get()) show(kept).catch(() => undefined);
  });
}

/** All texts of a language, for any part but shell and home. Loaded once. */
export function loadTexts(language = i18next.language as Language): Promise<void> {
  if (language === i18next.language) wantsOthers = true;
  const known = allTexts.get(language);
  if (known) return known;
  const loading = Promise.all([first[language](), others[language]()]).then(([some, rest]) => {
    i18next.addResourceBundle(language, SPACE, { ...some, ...rest });
  });
  allTexts.set(language, loading);
  // A failed load may be retried.
  loading.catch(() => allTexts.delete(language));
  return loading;
}

export function chooseLanguage(language: Language): void {
  show(language).then(
    (isShown) => isShown && keepLanguage(deviceStorage, language),
    () => toast(i18next.t('common.unreachable'), 'bad'),
  );
}

/** @returns whether no other language was asked for meanwhile */
async function show(language: Language): Promise<boolean> {
  asked = language;
  if (!wantsOthers && !i18next.hasResourceBundle(language, SPACE)) {
    i18next.addResourceBundle(language, SPACE, await first[language]());
  }
  // Also when a page that needs them was opened meanwhile.
  if (wantsOthers) await loadTexts(language);
  if (asked !== language) return false;
  await i18next.changeLanguage(language);
  chosenLanguage.set(language);
  markDocument(language);
  return true;
}

/** The same texts in a fixed language, for a part of the page. The texts must be loaded. */
export function textsIn(language: Language): i18n {
  return i18next.cloneInstance({ lng: language });
}
