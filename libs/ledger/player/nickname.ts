import { type Rejection, reject } from '../rejections.ts';
import { isPlainText, isVisibleText } from '../text.ts';
import { posesAsStaff } from './staff-names.ts';

/** In code points, so that most emoji count once. */
export const NICKNAME_MAX_CHARACTERS = 20;

/** Combining marks without a letter, or four on one letter, which no language needs: they cover the lines above and below. */
const PILED_MARKS = /^\p{M}|[^\p{L}\p{N}\p{P}\p{S}\p{M}]\p{M}|\p{M}{4}/u;

/**
 * The nickname as it is stored (NFC, trimmed, one space between words), or why it is refused. Markup is plain text.
 */
export function readNickname(text: string): string | Rejection {
  if (!isPlainText(text)) return reject('nickname-not-plain');
  const nickname = text
    .normalize('NFC')
    .replace(/\p{Zs}+/gu, ' ')
    .trim();
  if (nickname === '') return reject('nickname-empty');
  if ([...nickname].length > NICKNAME_MAX_CHARACTERS) {
    return reject('nickname-too-long', { max: NICKNAME_MAX_CHARACTERS });
  }
  if (!isVisibleText(nickname) || PILED_MARKS.test(nickname)) return reject('nickname-not-plain');
  if (posesAsStaff(nickname)) return reject('nickname-reserved');
  return nickname;
}
