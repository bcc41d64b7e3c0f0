import type { BetPage, Face, LastingPage } from '@reelbook/games/face';
import { type ComponentType, createElement } from 'react';
import { defaultChinesePart, part } from '../lib/parts.ts';

/** Pages that only one game uses. */
export const OWN_PAGES: Readonly<Record<string, () => Promise<ComponentType>>> = {
  'slot-machine': async () =>
    (await import('../features/slot-machine/slot-machine.tsx')).SlotMachine,
};

/** The page of a game, loaded on its first visit: its own, or the shared one. */
export function gamePage(face: Face) {
  const load = OWN_PAGES[face.id] ?? (() => loadShared(face));
  return face.simulated ? defaultChinesePart(load) : part(load);
}

async function loadShared(face: Face): Promise<ComponentType> {
  if (!face.page) throw new Error(`${face.id} has no page`);
  const [page, { GamePage }] = await Promise.all([
    face.page(),
    import('../features/mini-games/game-page.tsx'),
  ]);
  const Play = await loadPlay(face.id, page);
  return () => createElement(GamePage, { face, Play });
}

async function loadPlay(
  id: string,
  page: LastingPage | BetPage,
): Promise<ComponentType<{ wallet: string }>> {
  if (page.kind === 'lasting') {
    const { TimedPlay } = await import('../features/mini-games/timed-play.tsx');
    return () => createElement(TimedPlay, { game: { ...page, id } });
  }
  const [{ BetPlay }, { findGame }] = await Promise.all([
    import('../features/mini-games/bet-play.tsx'),
    import('@reelbook/games/rules'),
  ]);
  const rules = findGame(id);
  if (!rules) throw new Error(`${id} has no rules`);
  return ({ wallet }) => createElement(BetPlay, { game: { ...page, id }, rules, wallet });
}
