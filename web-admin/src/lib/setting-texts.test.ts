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

  test.each([
    [AMOUNT, '1000000000000', '1,000.00 BSM'],
    ['exchange.pointsToToken', '1/100', '0.01 BSM'],
    ['exchange.pointsToToken', '1/300', '1/300 (0.003333 BSM)'],
    ['exchange.tokenToPoints', '100/1', '100 points'],
    ['withdraw.feeRate', '5/100', '5%'],
    ['withdraw.feeRate', '1/200', '0.5%'],
    ['withdraw.feeRate', '0/1', '0%'],
    ['withdraw.feeRate', '1/1024', '0.09765625%'],
    ['withdraw.feeRate', '123456789/999999999999999', '123456789/999999999999999 (0.00001235%)'],
    ['withdraw.feeRate', '2/3', '2/3 (66.67%)'],
    ['withdraw.feeRate', '1/0', '1/0'],
    ['withdraw.feeRate', '', ''],
    ['withdraw.lowWaterLamports', '50000000', '0.05 SOL'],
    ['withdraw.lowWaterLamports', '1000000000001', '1,000.000000001 SOL'],
    ['protection.realityCheckMinutes', '90', '1 h 30 min'],
    ['protection.realityCheckMinutes', 'null', 'null'],
    ['realityCheck.everyMs', '1800000', '30 min'],
    ['withdraw.playerHourMaxCount', '10', '10'],
    ['nickname', '5/100', '5/100'],
  ])('at %s, %j is shown as %s', (path, text, shown) => {
    expect(valueText(path, text)).toBe(shown);
  });

  test.each(['5/100', '0.05'])('that is a rate accepts %s', (typed) => {
    expect(textOf('withdraw.feeRate', typedOf('withdraw.feeRate', typed))).toBe(typed);
  });
});
