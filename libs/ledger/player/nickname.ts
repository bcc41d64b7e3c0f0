import { type Rejection, reject } from '../rejections.ts';
import { isPlainText } from '../text.ts';

/** In code points, so that most emoji count once. */
export const NICKNAME_MAX_CHARACTERS = 20;

/**
 * Invisible characters let one player look like another: direction marks, fillers, variation selectors, the blank of
 * Braille. The joiners within an emoji are allowed.
 */
const INVISIBLE = /[\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;
const EMOJI_GLUE =
  /(?<=\p{Extended_Pictographic})\ufe0f|(?<=[\d#*])\ufe0f(?=\u20e3)|(?<=\p{Extended_Pictographic}\ufe0f?\p{Emoji_Modifier}?)\u200d(?=\p{Extended_Pictographic})/gu;
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
  const seen = nickname.replace(EMOJI_GLUE, '');
  if (INVISIBLE.test(seen) || PILED_MARKS.test(seen)) return reject('nickname-not-plain');
  return nickname;
}
