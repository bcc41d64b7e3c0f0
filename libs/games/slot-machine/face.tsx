import { type Face, inBothLanguages } from '../face.tsx';

/** It has its own page and card: web-player/src/features/slot-machine, features/games/slot-card.tsx. */
export const slotMachine: Face = {
  id: 'slot-machine',
  shelf: 'slots',
  simulated: false,
  texts: inBothLanguages({
    en: { name: 'Slot machine', card: 'Three reels, open ledgers.' },
    zh: { name: '老虎机', card: '三个转轮，公开账本。' },
  }),
  view: async () => (await import('./view.tsx')).SlotRound,
  card: null,
  page: null,
};
