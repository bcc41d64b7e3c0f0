import { loadPart } from '@reelbook/web/load-part';
import { type ComponentType, createElement, lazy, useState } from 'react';
import { loadTexts } from './i18n.ts';
import { chosenLanguage } from './texts.ts';

/** A page or dialog, loaded with its texts when it is first shown. */
export function part<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async () => ({ default: await withTexts(load) }));
}

/** A page that can be loaded before the first render: then it has no loading state. */
export interface PagePart {
  readonly Part: ComponentType;
  /** A failed load is retried, and reported, when the page is rendered. */
  preload(): Promise<void>;
}

/** Home needs only the texts of the first render. */
export const homePart = (load: () => Promise<ComponentType>) => pageOf(() => loadPart(load));

export const pagePart = (load: () => Promise<ComponentType>) => pageOf(() => withTexts(load));

/** A page that is Chinese until the player has chosen a language. */
export const defaultChinesePart = (load: () => Promise<ComponentType>) =>
  pageOf(() =>
    withTexts(async () => {
      const [component] = await Promise.all([
        load(),
        chosenLanguage.get() === null ? loadTexts('zh') : null,
      ]);
      return component;
    }),
  );

async function withTexts<Component>(load: () => Promise<Component>): Promise<Component> {
  const [component] = await loadPart(() => Promise.all([load(), loadTexts()]));
  return component;
}

function pageOf(load: () => Promise<ComponentType>): PagePart {
  let ready: ComponentType | null = null;
  const Late = lazy(async () => ({ default: await load() }));
  return {
    Part() {
      // Another component later would lose the state of the page.
      const [Shown] = useState<ComponentType>(() => ready ?? Late);
      return createElement(Shown);
    },
    preload: () =>
      load().then(
        (component) => {
          ready = component;
        },
        () => undefined,
      ),
  };
}
