import { type ComponentType, lazy } from 'react';
import { chosenLanguage, loadTexts } from './i18n.ts';

export const PART_TIMEOUT_MS = 120_000;

/** A part of the app that did not load, or not in time. */
export class ChunkLoadError extends Error {
  override readonly name = 'ChunkLoadError';
}

/** Resolves to what `load` gives; rejects with ChunkLoadError when it fails or takes more than 120 s. */
export function loadPart<T>(load: () => Promise<T>, timeoutMs = PART_TIMEOUT_MS): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(
      () => reject(new ChunkLoadError(`not loaded within ${timeoutMs} ms`)),
      timeoutMs,
    );
    load()
      .then(resolve, (cause: unknown) => reject(new ChunkLoadError('not loaded', { cause })))
      .finally(() => clearTimeout(late));
  });
}

/** A page or dialog that is loaded, with its texts, when it is first shown. */
export function part<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async () => {
    const [component] = await loadPart(() => Promise.all([load(), loadTexts()]));
    return { default: component };
  });
}

/** One that needs no other texts than those of the first render. */
export function firstPart(load: () => Promise<ComponentType>) {
  return lazy(async () => ({ default: await loadPart(load) }));
}

/** One that is Chinese until the player has chosen a language. */
export function chinesePart(load: () => Promise<ComponentType>) {
  return part(async () => {
    const [component] = await Promise.all([
      load(),
      chosenLanguage.get() === null ? loadTexts('zh') : null,
    ]);
    return component;
  });
}
