import { hashText } from '@reelbook/fairness/commit';
import { fraction, fractionText, oneIn } from '@reelbook/games/fraction';
import type { Game } from '@reelbook/games/game';
import { assert, Bug } from '@reelbook/ledger/assert';
import type { Outcome } from '@reelbook/ledger/player/events';

/** What a roll writes into the book. */
export type DiceOutcome = Outcome & { readonly roll: number };

const RULES = 'dice-1';
const SIDES = 100;
/** Above it a roll pays 1.9 times its stake. */
const HALF = 50;
const PAYS_TENTHS = 19n;
const CHANCE = fraction(1n, 2n);
const RETURN = fraction(19n, 20n);
const TEXT = `above ${HALF} of ${SIDES} pays ${PAYS_TENTHS}/10: ${fractionText(RETURN)}`;

/** A fifth game, only in the tests: the whole of what a game has to be. */
export const dice: Game<DiceOutcome> = {
  id: 'dice',
  apiKey: 'dice',
  title: 'Dice',
  rulesIds: [RULES],
  defaults: {
    rules: RULES,
    minStakeMinor: 100n,
    maxStakeMinor: 10_000n,
    maxLines: 1,
    enabled: true,
  },
  draw({ rules, stakeMinor, draws }) {
    assert(rules === RULES, `dice rules ${rules} exist`);
    const roll = 1 + draws.below(SIDES);
    const payoutMinor = roll > HALF ? (stakeMinor * PAYS_TENTHS) / 10n : 0n;
    return { outcome: { roll }, payoutMinor };
  },
  odds(rules) {
    assert(rules === RULES, `dice rules ${rules} exist`);
    const multiple = Number(PAYS_TENTHS) / 10;
    return {
      rules,
      rulesText: TEXT,
      rulesHash: hashText(TEXT),
      maxWinMinor: 19_000n,
      expectedReturn: RETURN,
      hitRate: CHANCE,
      variance: fraction(361n, 400n),
      paytable: [
        {
          row: `above ${HALF}`,
          symbols: [],
          multiple,
          weight: HALF,
          of: SIDES,
          chance: CHANCE,
          odds: oneIn(CHANCE),
        },
      ],
      returnAt: () => RETURN,
      returnByBet: (fromBet, toBet) => [{ fromBet, toBet, low: RETURN, high: RETURN }],
    };
  },
  describe(outcome) {
    if (typeof outcome.roll !== 'number') throw new Bug('a roll of the dice is a number');
    return `rolled ${outcome.roll}`;
  },
  timed: null,
};
