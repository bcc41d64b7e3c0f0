import type { TextStorage } from '@reelbook/web/storage';

const LANGUAGE_KEY = 'language';

export type Language = 'en' | 'zh';

/** The language chosen on this device; null until one is chosen. */
export function keptLanguage(storage: Pick<TextStorage, 'get'>): Language | null {
  const kept = storage.get(LANGUAGE_KEY);
  return kept === 'zh' || kept === 'en' ? kept : null;
}

export function keepLanguage(storage: Pick<TextStorage, 'set'>, language: Language): void {
  storage.set(LANGUAGE_KEY, language);
}

/** `lang` attribute of the document or of a part of it. */
export function langOf(language: Language): string {
  return language === 'zh' ? 'zh-CN' : 'en';
}

export function markDocument(language: Language): void {
  document.documentElement.lang = langOf(language);
}
