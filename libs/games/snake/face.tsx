import { type Face, inBothLanguages } from '../face.tsx';

export const snake: Face = {
  id: 'snake',
  shelf: 'mini',
  simulated: true,
  texts: inBothLanguages({
    en: {
      name: 'Snake',
      card: 'A snake that finds its own way and grows.',
      row: 'Length {{n}}',
      figures: { score: 'Score', length: 'Length' },
    },
    zh: {
      name: '贪吃蛇',
      card: '小蛇自动觅食，一路变长。',
      row: '长度 {{n}}',
      figures: { score: '得分', length: '长度' },
    },
  }),
  view: async () => (await import('./view.tsx')).SnakeRound,
  card: async () => (await import('./card.tsx')).SnakeCard,
  page: async () => (await import('./view.tsx')).page,
};
