import { deviceStorage } from './storage.ts';

const LANGUAGE_KEY = 'language';

export type Language = 'en' | 'zh';

/** What was chosen on this device; null until something was. */
export function keptLanguage(): Language | null {
  const kept = deviceStorage.get(LANGUAGE_KEY);
  return kept === 'zh' || kept === 'en' ? kept : null;
}

export function keepLanguage(language: Language): void {
  deviceStorage.set(LANGUAGE_KEY, language);
}

/** `lang` of a document or of a part of it. */
export function langOf(language: Language): string {
  return language === 'zh' ? 'zh-CN' : 'en';
}

export function markDocument(language: Language): void {
  document.documentElement.lang = langOf(language);
}
