import { defaultConfig } from '@reelbook/ledger/config/config';
import { editConfig, listConfig } from '@reelbook/ledger/config/edit';
import { describe, expect, test } from 'vitest';
import { partName, placeOf, textOf, typedOf, valueText } from './setting-texts.ts';

const AMOUNT = 'withdraw.automaticMaxTokenMinor';

describe('a value of the configuration', () => {
  test('has a name and a titled section', () => {
    for (const { path } of listConfig(defaultConfig)) {
      const { part, name } = placeOf(path);
      expect(name, path).toEqual(expect.any(String));
      if (!path.startsWith('games.')) expect(partName(part), path).not.toBe(part);
    }
  });

  test('stays the same when its own text is typed', () => {
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
    ['1,000', '1000000000000'],
  ])('in BSM accepts %j', (typed, text) => {
    expect(textOf(AMOUNT, typed)).toBe(text);
    expect(editConfig(defaultConfig, AMOUNT, text)).toHaveProperty('config');
  });

  test.each(['', '-1', '1e3', '1,5', '0.0000000001', '9'.repeat(40), 'null'])(
    'in BSM rejects %j, as the server does',
    (typed) => {
      expect(editConfig(defaultConfig, AMOUNT, textOf(AMOUNT, typed))).toMatchObject({
        fault: { code: 'setting-value-invalid' },
      });
    },
  );

  test('is shown with its unit', () => {
    expect(valueText(AMOUNT, '1000000000000')).toBe('1,000.00 BSM');
    expect(valueText('exchange.pointsToToken', '1/100')).toBe('1/100');
  });
});
