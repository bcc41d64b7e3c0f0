import { type Face, inBothLanguages } from '../face.tsx';

export const minesweeper: Face = {
  id: 'minesweeper',
  shelf: 'mini',
  simulated: true,
  texts: inBothLanguages({
    en: {
      name: 'Minesweeper',
      card: 'Fifteen mines, found cell by cell.',
      row: 'Cleared with {{n}} mines found',
      reached: '{{n}} mines found',
      now: 'If cleared now',
      lost: 'A mine went off. Mines pay only when the field is cleared.',
      figures: { score: 'Score', minesFound: 'Mines found' },
    },
    zh: {
      name: '扫雷',
      card: '十五颗地雷，逐格排查。',
      row: '通关并找到 {{n}} 颗地雷',
      reached: '找到 {{n}} 颗地雷',
      now: '此刻通关可得',
      lost: '踩到地雷了。只有通关时，找到的地雷才有奖励。',
      figures: { score: '得分', minesFound: '找到的地雷' },
    },
  }),
  view: async () => (await import('./view.tsx')).MinesweeperRound,
  card: async () => (await import('./card.tsx')).MinesweeperCard,
  page: async () => (await import('./view.tsx')).page,
};
