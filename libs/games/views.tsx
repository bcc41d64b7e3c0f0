import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import { faces } from './faces.tsx';
import type { RoundViewProps } from './game.ts';

/** The view of a finished round of each game, by its id; loaded when first shown. */
export const views: Readonly<Record<string, LazyExoticComponent<ComponentType<RoundViewProps>>>> =
  Object.fromEntries(
    faces.map(({ id, view }) => [id, lazy(async () => ({ default: await view() }))]),
  );
