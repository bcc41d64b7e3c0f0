import { fraction } from '@reelbook/games/fraction';
import type { Game } from '@reelbook/games/game';
import { oddsOf } from '@reelbook/games/odds';
import { assert } from '@reelbook/ledger/assert';
import type { Choice, Outcome } from '@reelbook/ledger/player/events';

/** What a roll writes into the ledger. */
export type DiceOutcome = Outcome & { readonly roll: number };

const RULES = 'test-dice-1';
const SIDES = 100;
/** The house edge is 1 %, as closely as a multiple in hundredths allows. */
const RETURN_HUNDREDTHS = 99;
const MAX_WIN_MINOR = 1_000_000n;

/** Payout over stake in hundredths: the fewer sides win, the more. */
const hundredthsOf = (over: number) => Math.floor((RETURN_HUNDREDTHS * SIDES) / (SIDES - over));

const TEXT = [
  `rules ${RULES}`,
  `roll 1 + draw below ${SIDES}; a roll over the choice pays`,
  `pays ${RETURN_HUNDREDTHS}*${SIDES}/(${SIDES}-over)/100, rounded down to hundredths`,
  `cap ${MAX_WIN_MINOR}`,
].join('\n');

function overOf(rules: string, choice: Choice | undefined): number {
  assert(rules === RULES, `dice rules ${rules} exist`);
  const { over } = choice ?? dice.choice?.initial ?? {};
  assert(typeof over === 'number' && over >= 2 && over <= 98, 'a roll over 2 to 98');
  return over;
}

/** A game with a choice, only in the tests: its player chooses over which number the roll is to be. */
export const dice: Game<DiceOutcome> = {
  id: 'test-dice',
  apiKey: 'test_dice',
  title: 'Test dice',
  rulesIds: [RULES],
  defaults: {
    rules: RULES,
    minStakeMinor: 100n,
    maxStakeMinor: 10_000n,
    maxLines: 1,
    enabled: true,
  },
  draw({ rules, choice, stakeMinor, draws }) {
    const over = overOf(rules, choice);
    const roll = 1 + draws.below(SIDES);
    const full = (stakeMinor * BigInt(hundredthsOf(over))) / 100n;
    const paid = full > MAX_WIN_MINOR ? MAX_WIN_MINOR : full;
    return { outcome: { roll }, payoutMinor: roll > over ? paid : 0n };
  },
  odds(rules, choice) {
    const over = overOf(rules, choice);
    const chance = fraction(BigInt(SIDES - over), BigInt(SIDES));
    const row = { row: `over ${over}`, chance, hundredths: hundredthsOf(over) };
    const rows = [{ ...row, weight: SIDES - over, of: SIDES }];
    return oddsOf({ rules, text: TEXT, maxWinMinor: MAX_WIN_MINOR, rows });
  },
  describe({ roll }) {
    assert(typeof roll === 'number', 'a roll of the dice is a number');
    return `rolled ${roll}`;
  },
  timed: null,
  choice: { fields: { over: { min: 2, max: 98 } }, initial: { over: 50 } },
};
