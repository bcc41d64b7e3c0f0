import { type Face, inBothLanguages } from '../face.tsx';

export const tetris: Face = {
  id: 'tetris',
  shelf: 'mini',
  simulated: true,
  texts: inBothLanguages({
    en: {
      name: 'Tetris',
      card: 'Pieces fall by themselves, one per second.',
      row: 'Level {{n}}',
      figures: { score: 'Score', lines: 'Lines', level: 'Level' },
    },
    zh: {
      name: '俄罗斯方块',
      card: '方块自动落下，每秒一块。',
      row: '等级 {{n}}',
      figures: { score: '得分', lines: '消除行数', level: '等级' },
    },
  }),
  view: async () => (await import('./view.tsx')).TetrisRound,
  card: async () => (await import('./card.tsx')).TetrisCard,
  page: async () => (await import('./view.tsx')).page,
};
