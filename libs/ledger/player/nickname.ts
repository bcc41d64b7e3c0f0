import { type Rejection, reject } from '../rejections.ts';
import { isPlainText } from '../text.ts';

/** In code points, so that an emoji counts as the player sees most of them: once. */
export const NICKNAME_MAX_CHARACTERS = 20;

/**
 * What cannot be seen lets one player look like another: direction marks, fillers, variation selectors, the blank of
 * Braille. What holds an emoji together may stay.
 */
const INVISIBLE = /[\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;
const EMOJI_GLUE =
  /(?<=\p{Extended_Pictographic})\ufe0f|(?<=[\d#*])\ufe0f(?=\u20e3)|(?<=\p{Extended_Pictographic}\ufe0f?\p{Emoji_Modifier}?)\u200d(?=\p{Extended_Pictographic})/gu;
/** Marks on nothing, or piled so high that they cover the lines above and below; no language needs four on a letter. */
const PILED_MARKS = /^\p{M}|[^\p{L}\p{N}\p{P}\p{S}\p{M}]\p{M}|\p{M}{4}/u;

/**
 * The nickname as it will stand in the ledger (NFC, trimmed, one plain space between words), or why not. Markup is text
 * like any other.
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
