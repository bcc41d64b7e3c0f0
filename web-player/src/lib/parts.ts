import { loadPart } from '@reelbook/web/load-part';
import { type ComponentType, lazy } from 'react';
import { chosenLanguage, loadTexts } from './i18n.ts';

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
