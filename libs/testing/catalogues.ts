import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** `home.title` -> text, for every text of a catalogue. */
function textsOf(catalogue: object, path = ''): readonly (readonly [string, string])[] {
  return Object.entries(catalogue).flatMap(([key, value]) =>
    typeof value === 'string' ? [[path + key, value] as const] : textsOf(value, `${path}${key}.`),
  );
}

const figuresOf = (text: string) =>
  [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name).sort();

/**
 * The tests of a catalogue: the same keys and figures in both languages, no text empty, none without a use. `folders` is
 * where the sources of the app are, and of the codes that it makes keys of.
 */
export function testCatalogues(o: {
  readonly en: object;
  readonly zh: object;
  readonly folders: readonly string[];
}): void {
  test('both catalogues have the same keys', () => {
    const keysOf = (catalogue: object) =>
      textsOf(catalogue)
        .map(([key]) => key)
        .sort();
    expect(keysOf(o.zh)).toEqual(keysOf(o.en));
  });

  test('each text names the same figures in both languages, and none is empty', () => {
    const chinese = new Map(textsOf(o.zh));
    for (const [key, text] of textsOf(o.en)) {
      expect(figuresOf(chinese.get(key) ?? ''), key).toEqual(figuresOf(text));
      expect(chinese.get(key)?.trim(), key).not.toBe('');
    }
  });

  test('every text has a use in the sources', () => {
    const isUsed = usesIn(o.folders);
    expect(
      textsOf(o.en)
        .map(([key]) => key)
        .filter((key) => !isUsed(key.replace(/_(one|other)$/, ''))),
    ).toEqual([]);
  });
}

const HAN = '[\\u4e00-\\u9fff]';
/** What Chinese text does not have: what it is, and where it is found. */
const CHINESE_FAULTS = [
  ['a half-width bracket', /[()]/],
  ['half-width punctuation after Chinese', new RegExp(`${HAN}[,.:;?!]`)],
  [
    'no space between Chinese and Latin or digits',
    new RegExp(`${HAN}[A-Za-z0-9]|[A-Za-z0-9]${HAN}`),
  ],
  ['a space between Chinese characters', new RegExp(`${HAN} +${HAN}`)],
  ['a space next to full-width punctuation', / [，。：；！？（）、“”]|[，。：；！？（）、] /],
  ['您, where the others say 你', /您/],
] as const;

/** The faults of punctuation and spaces in the Chinese texts of a catalogue, each with its key. */
export function chineseFaults(zh: object): readonly string[] {
  return textsOf(zh)
    .filter(([, text]) => new RegExp(HAN).test(text))
    .flatMap(([key, text]) =>
      CHINESE_FAULTS.filter(([, fault]) => fault.test(text)).map(
        ([what]) => `${key}: ${what}: ${text}`,
      ),
    );
}

/** A template that may be a key: `profile.${key}`, `${what}.title`; not one of figures alone. */
const TEMPLATE = /`([\w:-]+\.[\w.-]*(?:\$\{[^}`]*\}[\w.-]*)+|\$\{[^}`]*\}\.\w+)`/g;
const FIGURE = /\$\{[^}]*\}/;

/**
 * Whether a key is in a literal of the sources, or fits a template there. What is in the place of `${...}` has to be words
 * of the sources too: `profile.${key}` uses `profile.wins` only where `wins` is written somewhere.
 */
function usesIn(folders: readonly string[]): (key: string) => boolean {
  const sources = folders.flatMap(filesIn).map((file) => readFileSync(file, 'utf8'));
  const found = (pattern: RegExp) =>
    new Set(
      sources.flatMap((text) => [...text.matchAll(pattern)].map(([, one = '']) => keyOf(one))),
    );
  const literals = found(/['"]([\w.:-]+)['"]/g);
  const words = found(/([\w-]+)/g);
  const patterns = [...found(TEMPLATE)].map((template) => {
    const parts = template.split(FIGURE).map((part) => part.replaceAll('.', '\\.'));
    return new RegExp(`^${parts.join('(.*)')}$`);
  });
  const isWord = (word: string) => word === '' || words.has(word);
  // As it is, or made of two: `acts.${act}${kind}Title`.
  const isWritten = (figure: string) =>
    figure.split(/[ .]/).every((one) => isWord(one) || one.split(/(?=[A-Z])/).every(isWord));
  return (key) =>
    literals.has(key) || patterns.some((pattern) => pattern.exec(key)?.slice(1).every(isWritten));
}

/** Without its namespace. */
const keyOf = (text: string) => text.replace(/^\w+:/, '');

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .filter((file) => !/\.test\.|(^|\/)(node_modules|locales)\//.test(file))
    .map((file) => join(folder, file));
}
