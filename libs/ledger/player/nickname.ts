import { type Rejection, reject } from '../rejections.ts';
import { isPlainText } from '../text.ts';

/** In code points, so that an emoji counts as the player sees most of them: once. */
export const NICKNAME_MAX_CHARACTERS = 20;

/** Invisible characters and direction marks let one player look like another; the joiner inside emoji may stay. */
const INVISIBLE = /[\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u;
const JOINER =
  /(?<=\p{Extended_Pictographic}\ufe0f?\p{Emoji_Modifier}?)\u200d(?=\p{Extended_Pictographic})/gu;

/** The nickname as it will stand in the book (trimmed, NFC), or why not. Markup is text like any other. */
export function readNickname(text: string): string | Rejection {
  if (!isPlainText(text)) return reject('nickname-not-plain');
  const nickname = text.normalize('NFC').trim();
  if (nickname === '') return reject('nickname-empty');
  if ([...nickname].length > NICKNAME_MAX_CHARACTERS) {
    return reject('nickname-too-long', { max: NICKNAME_MAX_CHARACTERS });
  }
  if (INVISIBLE.test(nickname.replace(JOINER, ''))) return reject('nickname-not-plain');
  return nickname;
}
