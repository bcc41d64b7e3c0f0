import { type Face, inBothLanguages } from '../face.tsx';

export const minesweeper: Face = {
  id: 'minesweeper',
  shelf: 'mini',
  simulated: true,
  texts: inBothLanguages({
    en: {
      name: 'Minesweeper',
      card: 'Fifteen mines, opened one by one.',
      row: 'Cleared with {{n}} mines found',
      figures: { score: 'Score', minesFound: 'Mines found' },
    },
    zh: {
      name: '扫雷',
      card: '十五颗地雷，逐格揭开。',
      row: '通关并找到 {{n}} 颗地雷',
      figures: { score: '得分', minesFound: '找到的地雷' },
    },
  }),
  view: async () => (await import('./view.tsx')).MinesweeperRound,
  card: async () => (await import('./card.tsx')).MinesweeperCard,
  page: async () => (await import('./page.tsx')).page,
};
