import type { BetPage, Face, TimedPage } from '@reelbook/games/face';
import { type ComponentType, createElement } from 'react';

/** Pages that only one game uses. */
export const OWN_PAGES: Readonly<Record<string, () => Promise<ComponentType>>> = {
  'slot-machine': async () =>
    (await import('../features/slot-machine/slot-machine.tsx')).SlotMachine,
};

/** Loads the page of a game: its own, or the shared one. */
export const loadGamePage = (face: Face): Promise<ComponentType> =>
  (OWN_PAGES[face.id] ?? (() => loadShared(face)))();

async function loadShared(face: Face): Promise<ComponentType> {
  if (!face.page) throw new Error(`${face.id} has no page`);
  const [page, { GamePage }] = await Promise.all([
    face.page(),
    import('../features/mini-games/game-page.tsx'),
  ]);
  const Play = await loadPlay(face, page);
  return () => createElement(GamePage, { face, Play });
}

async function loadPlay(
  { id, card }: Face,
  page: TimedPage | BetPage,
): Promise<ComponentType<{ wallet: string }>> {
  if (page.kind === 'lasting') {
    const [{ TimedPlay }, Picture] = await Promise.all([
      import('../features/mini-games/timed-play.tsx'),
      card?.(),
    ]);
    const game = { ...page, id, Picture };
    return () => createElement(TimedPlay, { game });
  }
  const [{ BetPlay }, { findGame }] = await Promise.all([
    import('../features/mini-games/bet-play.tsx'),
    import('@reelbook/games/rules'),
  ]);
  const rules = findGame(id);
  if (!rules) throw new Error(`${id} has no rules`);
  return ({ wallet }) => createElement(BetPlay, { game: { ...page, id }, rules, wallet });
}
