import { describe, expect, test } from 'vitest';
import { fractionText } from '../fraction.ts';
import { AWARDS } from './paytable.ts';
import { slotMachine } from './rules.ts';

describe('the exact odds', () => {
  const figures = (id: string) => {
    const odds = slotMachine.odds(id);
    return {
      return: fractionText(odds.expectedReturn),
      hitRate: fractionText(odds.hitRate),
      variance: fractionText(odds.variance),
      atBet: [1, 400, 401, 833, 834, 1000].map((bet) =>
        fractionText(odds.returnAt(BigInt(bet) * 100n)),
      ),
      odds: odds.paytable.map(({ odds }) => odds),
      hash: odds.rulesHash,
    };
  };

  test('slot-1', () => {
    expect(figures('slot-1')).toEqual({
      return: '24/25',
      hitRate: '3553/10000',
      variance: '16007/5000',
      atBet: ['24/25', '24/25', '19247/20050', '39551/41650', '197983/208500', '941/1000'],
      odds: [
        '1 in 1,250',
        '1 in 286',
        '1 in 91',
        '1 in 50',
        '1 in 33',
        '1 in 17',
        '1 in 11',
        '1 in 7.1',
      ],
      hash: 'd4a70be710070f9bc6f45e6c6b07934ef92f3038aa8be09b3a35ebb610c9f552',
    });
    expect(16007 / 5000).toBe(3.2014);
  });

  test('slot-2', () => {
    expect(figures('slot-2')).toEqual({
      return: '19/20',
      hitRate: '3553/10000',
      variance: '6281/2000',
      atBet: ['19/20', '19/20', '38093/40100', '78269/83300', '97949/104250', '931/1000'],
      odds: [
        '1 in 1,250',
        '1 in 286',
        '1 in 91',
        '1 in 57',
        '1 in 33',
        '1 in 17',
        '1 in 11',
        '1 in 7.1',
      ],
      hash: '332703a8eaa5eec0047b10446b7e6948ea71fd651fd77eceefaa4a2ed61fbcf7',
    });
  });

  test('the rules are identified by their content, and their text is complete', () => {
    expect(slotMachine.odds('slot-1').rulesText).toMatchInlineSnapshot(`
      "rules slot-1
      three-comets 8 50/2
      three-crowns 35 24/2
      three-clovers 110 16/2
      three-coins 200 12/2
      two-comets 300 8/2
      two-crowns 600 6/2
      two-clovers 900 4/2
      two-coins 1400 3/2
      no-win 6447 0/2
      cap 1000000
      draw row below 10000, arrangement below count in ascending order"
    `);
  });

  test('the paytable is the specification, best award first', () => {
    const rows = slotMachine.odds('slot-1').paytable;
    expect(rows.map(({ multiple }) => multiple)).toEqual([25, 12, 8, 6, 4, 3, 2, 1.5]);
    expect(rows.map(({ symbols }) => symbols)).toEqual([
      [1, 1, 1],
      [2, 2, 2],
      [3, 3, 3],
      [4, 4, 4],
      [1, 1, null],
      [2, 2, null],
      [3, 3, null],
      [4, 4, null],
    ]);
    expect(AWARDS.map(({ row }) => row)).toEqual(rows.map(({ row }) => row));
  });

  test('rules that do not exist are a bug, not a default', () => {
    expect(() => slotMachine.odds('slot-3')).toThrow('slot-3');
  });
});
