import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import { faces } from './faces.tsx';
import type { RoundViewProps } from './game.ts';

/** How each game shows a round that was played, by its id; loaded when first shown. */
export const views: Readonly<Record<string, LazyExoticComponent<ComponentType<RoundViewProps>>>> =
  Object.fromEntries(
    faces.map(({ id, view }) => [id, lazy(async () => ({ default: await view() }))]),
  );
