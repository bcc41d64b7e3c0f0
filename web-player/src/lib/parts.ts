import { loadPart } from '@reelbook/web/load-part';
import { type ComponentType, createElement, lazy } from 'react';
import { chosenLanguage, loadTexts } from './i18n.ts';

/** A page or dialog, loaded with its texts when it is first shown. */
export function part<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async () => {
    const [component] = await loadPart(() => Promise.all([load(), loadTexts()]));
    return { default: component };
  });
}

/** A part that needs only the texts of the first render, and can be loaded before it. */
export function firstPart(load: () => Promise<ComponentType>) {
  let ready: ComponentType | null = null;
  const get = async () => {
    ready = await loadPart(load);
    return { default: ready };
  };
  const Late = lazy(get);
  return {
    Part: () => createElement(ready ?? Late),
    /** A failed load is retried, and reported, when the part is rendered. */
    preload: () => get().catch(() => undefined),
  };
}

/** A part that is Chinese until the player has chosen a language. */
export function defaultChinesePart(load: () => Promise<ComponentType>) {
  return part(async () => {
    const [component] = await Promise.all([
      load(),
      chosenLanguage.get() === null ? loadTexts('zh') : null,
    ]);
    return component;
  });
}
