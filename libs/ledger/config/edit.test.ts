import { describe, expect, test } from 'vitest';
import type { Config } from './config.ts';
import { defaultConfig } from './config.ts';
import { isEditOf } from './decide.ts';
import { changedValues, editAll, editConfig, listConfig } from './edit.ts';

const valueAt = (path: string, text: string) => {
  const edited = editConfig(defaultConfig, path, text);
  if ('fault' in edited) return edited.fault;
  return listConfig(edited.config).find((row) => row.path === path)?.text;
};

describe('the configuration as text', () => {
  test('is unchanged when every value is set to its own text', () => {
    const edited = listConfig(defaultConfig).reduce((config, { path, text }) => {
      const next = editConfig(config, path, text);
      if ('fault' in next) throw new Error(next.fault.code);
      return next.config;
    }, defaultConfig);
    expect(edited).toEqual(defaultConfig);
  });

  test.each([
    ['games.slot-machine.rules', 'slot-2', 'slot-2'],
    ['games.slot-machine.maxStakeMinor', '50000', '50000'],
    ['exchange.enabled', 'false', 'false'],
    ['exchange.pointsToToken', '1/200', '1/200'],
    ['exchange.pointsToToken', '0.005', '5/1000'],
    ['withdraw.feeRate', '0', '0/1'],
    ['bigWinMultiple', '4.5', '4.5'],
    ['token.contract', 'C'.repeat(43), 'C'.repeat(43)],
    ['token.contract', 'null', 'null'],
    ['protection.realityCheckMinutes', '30', '30'],
    ['protection.realityCheckMinutes', 'null', 'null'],
  ])('%s can be %s', (path, text, shown) => {
    expect(valueAt(path, text)).toBe(shown);
  });

  test.each([
    ['games.slot-machine.maxStakeMinor', '1.5'],
    ['games.slot-machine.maxStakeMinor', '-1'],
    ['exchange.enabled', 'no'],
    ['exchange.pointsToToken', '1:100'],
    ['exchange.pointsToToken', ''],
    ['bigWinMultiple', 'many'],
    ['protection.realityCheckMinutes', '1.5'],
  ])('%s cannot be %j', (path, text) => {
    const facts = { path, value: text };
    expect(valueAt(path, text)).toEqual({ code: 'setting-value-invalid', facts });
  });

  test.each(['', 'games', 'exchange.pointsToToken.numerator', '__proto__.x', 'constructor'])(
    'there is no %j',
    (path) => {
      const known = expect.stringContaining('exchange.enabled');
      expect(valueAt(path, '1')).toEqual({ code: 'setting-unknown', facts: { path, known } });
    },
  );

  test('lists the values that differ, and every value if there was no configuration before', () => {
    const { config: edited } = editAll(defaultConfig, [
      { path: 'exchange.pointsToToken', value: '1/200' },
    ]) as { config: Config };
    expect(changedValues(defaultConfig, edited)).toEqual([
      { path: 'exchange.pointsToToken', before: '1/100', after: '1/200' },
    ]);
    expect(changedValues(edited, edited)).toEqual([]);
    const all = listConfig(edited).map(({ path, text }) => ({ path, before: '', after: text }));
    expect(changedValues(null, edited)).toEqual(all);
  });

  test('is an edit of another one only with all its values, each of its type', () => {
    const at = (change: (part: Record<string, unknown>, key: string) => void, path: string) => {
      const changed = structuredClone(defaultConfig) as unknown as Record<string, unknown>;
      const keys = path.split('.');
      const last = keys.pop() ?? '';
      change(
        keys.reduce((part, key) => part[key] as Record<string, unknown>, changed),
        last,
      );
      return changed as unknown as Config;
    };
    const removed = (part: Record<string, unknown>, key: string) => delete part[key];
    const asText = (part: Record<string, unknown>, key: string) => {
      part[key] = String(part[key]);
    };
    const isRated = (path: string) => /Rate$|^exchange\..*To/.test(path);
    for (const { path } of listConfig(defaultConfig)) {
      // Without these, their defaults of older configurations are in force.
      const isOptional = ['bigWinMinMinor', 'deposit.dustBelowTokenMinor'].includes(path);
      if (!isOptional) expect.soft(isEditOf(defaultConfig, at(removed, path)), path).toBe(false);
      // Texts of rules stay texts, and those of amounts are read as amounts.
      const isText = path.endsWith('rules') || path.endsWith('Minor') || isRated(path);
      if (!isText) expect.soft(isEditOf(defaultConfig, at(asText, path)), path).toBe(false);
    }
    expect(isEditOf(defaultConfig, { ...defaultConfig, more: true } as Config)).toBe(false);
    const { 'slot-machine': slot } = defaultConfig.games;
    const added = { ...defaultConfig, games: { ...defaultConfig.games, walk: slot } } as Config;
    expect([isEditOf(defaultConfig, added), isEditOf(added, defaultConfig)]).toEqual([true, false]);
  });

  test('does not change its input', () => {
    const before = structuredClone(defaultConfig);
    valueAt('exchange.enabled', 'false');
    expect(defaultConfig).toEqual(before);
  });
});
