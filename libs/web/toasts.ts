import { createStore } from './store.ts';

const SHOWN_MAX = 3;
const SHOWN_FOR_MS = 6_000;
/** Long texts, such as those with a hash, stay longer. */
const READING_MS_PER_LETTER = 70;

export interface Toast {
  id: number;
  tone: 'plain' | 'good' | 'bad';
  text: string;
  /** `lang` of the text when it differs from the page's. */
  lang: string | undefined;
}

let nextId = 1;
export const toasts = createStore<readonly Toast[]>([]);

/** Shows a non-blocking toast for six seconds, or as long as reading takes. */
export function toast(text: string, tone: Toast['tone'] = 'plain', lang?: string): void {
  const id = nextId++;
  const others = toasts.get().filter((shown) => shown.text !== text);
  toasts.set([...others, { id, tone, text, lang }].slice(-SHOWN_MAX));
  const shownMs = Math.max(SHOWN_FOR_MS, text.length * READING_MS_PER_LETTER);
  setTimeout(() => dismissToast(id), shownMs);
}

export function dismissToast(id: number): void {
  toasts.set(toasts.get().filter((shown) => shown.id !== id));
}
