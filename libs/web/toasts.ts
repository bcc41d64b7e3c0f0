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
  topic: string;
}

let nextId = 1;
export const toasts = createStore<readonly Toast[]>([]);

/**
 * Shows a non-blocking toast for six seconds, or as long as reading takes. It replaces one with the same topic, which is the
 * text where none is given. The result of an action and its notification have the same topic: the result (`good`) replaces the
 * notification (`plain`), never the other way round.
 */
export function toast(
  text: string,
  tone: Toast['tone'] = 'plain',
  lang?: string,
  topic = text,
): void {
  const shown = toasts.get();
  if (tone === 'plain' && shown.some((one) => one.topic === topic && one.tone === 'good')) return;
  const id = nextId++;
  const others = shown.filter((one) => one.topic !== topic);
  toasts.set([...others, { id, tone, text, lang, topic }].slice(-SHOWN_MAX));
  const shownMs = Math.max(SHOWN_FOR_MS, text.length * READING_MS_PER_LETTER);
  setTimeout(() => dismissToast(id), shownMs);
}

export function dismissToast(id: number): void {
  toasts.set(toasts.get().filter((shown) => shown.id !== id));
}
