/**
 * Text that the ledger accepts: well-formed Unicode without control characters. Postgres refuses U+0000 and lone surrogates
 * in jsonb.
 */
export function isPlainText(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: refusing control characters is its purpose
  return !/[\u0000-\u001f\u007f-\u009f]/.test(text) && isWellFormed(text);
}

/**
 * Invisible characters let one text look like another: direction marks, fillers, variation selectors, the blank of Braille.
 * The joiners within an emoji are allowed.
 */
const INVISIBLE = /[\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;
const EMOJI_GLUE =
  /(?<=\p{Extended_Pictographic})\ufe0f|(?<=[\d#*])\ufe0f(?=\u20e3)|(?<=\p{Extended_Pictographic}\ufe0f?\p{Emoji_Modifier}?)\u200d(?=\p{Extended_Pictographic})/gu;

/** Plain text without invisible characters: the rule for all texts that people enter. */
export function isVisibleText(text: string): boolean {
  return isPlainText(text) && !INVISIBLE.test(text.replace(EMOJI_GLUE, ''));
}

/** The text of an error or a row, which may have any characters and length, as an event and a column take it. */
export const toPlainText = (text: string, maxLength = 1_000): string =>
  text.slice(0, maxLength).replace(/\p{C}/gu, '?');

export const REASON_MAX_LENGTH = 500;

/** Whether a text may be the reason of an operator's action. */
export function isReason(text: string): boolean {
  return text.trim() !== '' && text.length <= REASON_MAX_LENGTH && isVisibleText(text);
}

/** The object, or list, of a JSON text, whose parts are not checked; null for any other text. */
export function readObject<Expected = Record<string, unknown>>(
  text: string,
): Partial<Expected> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? (value as Partial<Expected> | null) : null;
  } catch {
    return null;
  }
}

/** Whether every string in a JSON-like value, including keys, is plain text. */
export function isPlainTree(value: unknown): boolean {
  if (typeof value === 'string') return isPlainText(value);
  if (value === null || typeof value !== 'object') return true;
  if (Array.isArray(value)) return value.every(isPlainTree);
  return Object.entries(value).every(([key, inner]) => isPlainText(key) && isPlainTree(inner));
}

function isWellFormed(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0xd800 || code > 0xdfff) continue;
    const next = text.charCodeAt(i + 1);
    if (code > 0xdbff || !(next >= 0xdc00 && next <= 0xdfff)) return false;
    i++;
  }
  return true;
}
