import { type Rejection, reject } from '../rejections.ts';
import { isPlainText, isVisibleText } from '../text.ts';

/**
 * Nicknames that pose as staff or as the site. Compared by appearance: without marks, case, separators and styles of Unicode,
 * with digits and letters of other scripts as the Latin letters that they look like. A word within another is allowed.
 */
const STAFF = [
  'admin',
  'administrator',
  'administration',
  'operator',
  'moderator',
  'mod',
  'support',
  'cashier',
  'system',
  'reelbook',
  'staff',
  'official',
  'helpdesk',
  'treasury',
];
/** Words that staff is combined with: "Support Team". */
const COMPANY = ['the', 'real', 'team', 'customer', 'service', 'help', 'agent', 'bot', 'casino'];
/** Chinese has no separators between words: refused within any nickname. */
const STAFF_CHINESE =
  /管理[員员人]|操作[員员]|[运運][营營]|客服|官方|系[统統]|出[纳納]|技[术術]支持|支持[团團][队隊]|工作人[員员]|站[长長]|版主/u;

/** Letters of other scripts and signs, by the Latin letters that they look like. */
const LOOKALIKES: Readonly<Record<string, string>> = {
  a: '4@аɑαᴀ∂',
  b: '8вьβʙ',
  c: 'сϲᴄ¢',
  d: 'ԁđᴅ',
  e: '3еєεᴇ€ə',
  f: 'ƒ',
  g: '9ɡɢ',
  h: 'һнħʜ',
  i: '1l|!іıιɪɩłʟӏⅼ',
  j: 'јϳ',
  k: 'кκᴋ',
  m: 'мμᴍ',
  n: 'пηνɴи',
  o: '0оοσøօᴏσ',
  p: 'рρᴘþ',
  r: 'гʀя',
  s: '5$ѕꜱ',
  t: '7тτᴛ+',
  u: 'υսᴜцμ',
  v: 'ѵᴠ',
  w: 'ѡωᴡ',
  x: 'хχ',
  y: 'уүγʏ',
  z: '2ᴢ',
};
const LATIN = new Map<string, string>();
for (const [latin, others] of Object.entries(LOOKALIKES)) {
  for (const other of others) if (!LATIN.has(other)) LATIN.set(other, latin);
}
/** First letters of the alphabets of signs that have no decomposition: negative circled and squared, regional. */
const SIGN_ALPHABETS = [0x1f150, 0x1f170, 0x1f1e6];

function latinOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  for (const first of SIGN_ALPHABETS) {
    if (code >= first && code < first + 26) return String.fromCharCode(0x61 + code - first);
  }
  return character;
}

const plain = (text: string) =>
  [...text.normalize('NFKD')].map(latinOf).join('').replace(/\p{M}/gu, '').toLowerCase();

/** Letters only, by appearance; "rn" looks like "m" and "vv" like "w". */
const skeleton = (word: string) =>
  [...word]
    .map((letter) => LATIN.get(letter) ?? letter)
    .join('')
    .replace(/[^\p{L}]/gu, '')
    .replace(/rn/g, 'm')
    .replace(/vv/g, 'w');

const alternatives = (words: readonly string[]) => words.map(skeleton).join('|');
const STAFF_WORD = new RegExp(`^(?:${alternatives(STAFF)})s?$`, 'u');
const STAFF_PHRASE = new RegExp(
  `^(?:${alternatives(COMPANY)})*(?:(?:${alternatives(STAFF)})s?)+(?:${alternatives([...COMPANY, ...STAFF])})*s?$`,
  'u',
);

/** Equal for names that look the same. Letters without a Latin form, and signs in a name without letters, stay as they are. */
export function appearanceOf(name: string): string {
  const text = plain(name);
  return skeleton(text) || text;
}

/** Whether players could mistake the nickname for staff. */
function posesAsStaff(nickname: string): boolean {
  const text = plain(nickname);
  if (STAFF_CHINESE.test(text)) return true;
  const words = text.split(/[^\p{L}\p{N}@$|!+¢€∂]+/u);
  // Digits and signs at an end are separators, or look like letters: "Admin1", "5upport".
  const forms = (word: string) => {
    const start = word.replace(/\P{L}+$/u, '');
    return [word, start, start.replace(/^\P{L}+/u, '')];
  };
  return (
    words.flatMap(forms).some((word) => STAFF_WORD.test(skeleton(word))) ||
    forms(text).some((form) => STAFF_PHRASE.test(skeleton(form)))
  );
}

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
