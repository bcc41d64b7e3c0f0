import { expect, test } from 'vitest';
import { en } from './en.ts';
import { zh } from './zh.ts';

/** `home.title` -> text, for every text of a catalogue. */
function texts(catalogue: object, path = ''): [string, string][] {
  return Object.entries(catalogue).flatMap(([key, value]) =>
    typeof value === 'string' ? [[path + key, value]] : texts(value, `${path}${key}.`),
  );
}

const figures = (text: string) =>
  [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name).sort();

test('both catalogues have the same keys', () => {
  const keys = (catalogue: object) => texts(catalogue).map(([key]) => key);
  expect(keys(zh).sort()).toEqual(keys(en).sort());
});

test('each text names the same figures in both languages, and none is empty', () => {
  const chinese = new Map(texts(zh));
  for (const [key, text] of texts(en)) {
    expect(figures(chinese.get(key) ?? ''), key).toEqual(figures(text));
    expect(chinese.get(key)?.trim(), key).not.toBe('');
  }
});
