import { fraction } from '../fraction.ts';
import type { Odds } from '../game.ts';
import { oddsOf } from '../odds.ts';
import { type SlotRules, WEIGHT_TOTAL } from './paytable.ts';

/** The published odds of one version, counted from the weights. */
export function slotOdds(rules: SlotRules): Odds {
  const rows = rules.rows.flatMap(({ row, weight, award }) => {
    if (!award) return [];
    const { symbol, alike, halves } = award;
    const chance = fraction(BigInt(weight), BigInt(WEIGHT_TOTAL));
    const symbols = [symbol, symbol, alike === 3 ? symbol : null];
    return { row, symbols, hundredths: 50 * halves, weight, of: WEIGHT_TOTAL, chance };
  });
  return oddsOf({ rules: rules.id, text: rules.text, maxWinMinor: rules.maxWinMinor, rows });
}
