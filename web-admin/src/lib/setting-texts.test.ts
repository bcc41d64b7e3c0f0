import { defaultConfig } from '@reelbook/ledger/config/config';
import { editConfig, listConfig } from '@reelbook/ledger/config/edit';
import { describe, expect, test } from 'vitest';
import { en } from '../locales/en.ts';
import { placeOf, textOf, typedOf, valueText } from './setting-texts.ts';

const AMOUNT = 'withdraw.automaticMaxTokenMinor';

describe('a value of the configuration', () => {
  test('has words, and stands in a part that has a title', () => {
    for (const { path } of listConfig(defaultConfig)) {
      const { part, isGame, words } = placeOf(path);
      const word = words.split('.').reduce<unknown>((inner, key) => Object(inner)[key], en);
      expect(word, path).toEqual(expect.any(String));
      if (!isGame) expect(en.setting.part, path).toHaveProperty(part);
    }
  });

  test('that is typed as it stands is the same', () => {
    for (const { path, text } of listConfig(defaultConfig)) {
      expect(textOf(path, typedOf(path, text)), path).toBe(text);
    }
  });

  test.each([
    ['1000', '1000000000000'],
    ['0.000000001', '1'],
    ['0', '0'],
    ['0.0', '0'],
    [' 7 ', '7000000000'],
  ])('of token is typed %j', (typed, text) => {
    expect(textOf(AMOUNT, typed)).toBe(text);
    expect(editConfig(defaultConfig, AMOUNT, text)).toHaveProperty('config');
  });

  test.each(['', '-1', '1e3', '1,000', '0.0000000001', '9'.repeat(40), 'null'])(
    'that is no amount of token, as %j, is none for the server either',
    (typed) => {
      expect(editConfig(defaultConfig, AMOUNT, textOf(AMOUNT, typed))).toMatchObject({
        fault: { code: 'setting-value-invalid' },
      });
    },
  );

  test('is read with its unit', () => {
    expect(valueText(AMOUNT, '1000000000000')).toBe('1,000.00 BSM');
    expect(valueText('exchange.pointsToToken', '1/100')).toBe('1/100');
  });
});
