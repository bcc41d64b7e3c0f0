import type { FaceTexts } from '@reelbook/games/face';
import { findFace } from '@reelbook/games/faces';
import { useTranslation } from 'react-i18next';

/** The texts of a game in the language of this part of the page; by its id or its key in the API. */
export function useGameTexts(): (game: string) => FaceTexts {
  const { t, i18n } = useTranslation();
  const language = i18n.language === 'zh' ? 'zh' : 'en';
  // An unknown game has no name here.
  return (game) => findFace(game)?.texts[language] ?? { name: t('wins.otherGame'), card: '' };
}

/** A text with its number. */
export const fill = (text: string, n: string | number): string => text.replace('{{n}}', String(n));
