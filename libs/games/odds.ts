import { assert } from '@reelbook/ledger/assert';
import { unit } from '@reelbook/ledger/money';
import { hashText } from './fairness/commit.ts';
import { type Fraction, fraction, oneIn, plus, times } from './fraction.ts';
import { type Odds, type PaytableRow, paidMinor, type ReturnBand } from './game.ts';

const ZERO = fraction(0n, 1n);
const HUNDREDTHS = 100n;
/** Where no weight selects the row, `weight` is rounded to billionths. */
const BILLION = 1_000_000_000;

/** A row that pays. `weight` in `of` selects it, if a weight does. */
export interface PayingRow {
  readonly row: string;
  readonly chance: Fraction;
  /** Payout over stake, in hundredths. */
  readonly hundredths: number;
  readonly symbols?: PaytableRow['symbols'];
  readonly weight?: number;
  readonly of?: number;
}

/** The published odds of a paytable's rows: counted, never simulated. Rows are best first. */
export function oddsOf({
  rules,
  text,
  maxWinMinor,
  rows,
}: {
  readonly rules: string;
  readonly text: string;
  readonly maxWinMinor: bigint;
  readonly rows: readonly PayingRow[];
}): Odds {
  const exact = rows.every(({ hundredths }) => Number.isSafeInteger(hundredths) && hundredths > 0);
  assert(exact, `every row of ${rules} pays an integer of hundredths of the stake`);
  const mean = (value: (row: PayingRow) => Fraction) =>
    rows.reduce((sum, row) => plus(sum, times(row.chance, value(row))), ZERO);
  const multiple = ({ hundredths }: PayingRow) => fraction(BigInt(hundredths), HUNDREDTHS);
  const expectedReturn = mean(multiple);
  const squares = mean((row) => times(multiple(row), multiple(row)));
  const paytable = rows.map(rowOf);
  function returnAt(stakeMinor: bigint): Fraction {
    assert(stakeMinor > 0n, 'a stake is positive');
    return paytable.reduce((sum, row) => {
      const paid = paidMinor(row, { stakeMinor, maxWinMinor });
      return plus(sum, times(row.chance, fraction(paid, stakeMinor)));
    }, ZERO);
  }
  return {
    rules,
    rulesText: text,
    rulesHash: hashText(text),
    maxWinMinor,
    expectedReturn,
    hitRate: mean(() => fraction(1n, 1n)),
    variance: plus(squares, times(times(expectedReturn, expectedReturn), -1n)),
    paytable,
    returnAt,
    returnByBet: (fromBet, toBet) =>
      bandsOf(
        { rows, maxWinMinor, at: (bet) => returnAt(BigInt(bet) * unit('points')) },
        fromBet,
        toBet,
      ),
  };
}

function rowOf({ row, chance, hundredths, symbols = [], weight, of }: PayingRow): PaytableRow {
  const billionths = Number((chance.numerator * BigInt(BILLION)) / chance.denominator);
  return {
    row,
    symbols,
    multiple: hundredths / Number(HUNDREDTHS),
    weight: weight ?? billionths,
    of: of ?? BILLION,
    chance,
    odds: oneIn(chance),
  };
}

/** Within a band the same rows are capped, so the return only falls as the bet grows. */
function bandsOf(
  {
    rows,
    maxWinMinor,
    at,
  }: {
    readonly rows: readonly PayingRow[];
    readonly maxWinMinor: bigint;
    at(bet: number): Fraction;
  },
  fromBet: number,
  toBet: number,
): ReturnBand[] {
  assert(Number.isSafeInteger(fromBet) && fromBet >= 1, 'bets are integer points from 1');
  assert(Number.isSafeInteger(toBet) && toBet >= fromBet, 'a range of bets ascends');
  // For each row the largest bet, in integer points, that is paid in full.
  const uncapped = rows.map(({ hundredths }) =>
    Number((maxWinMinor * HUNDREDTHS) / (BigInt(hundredths) * unit('points'))),
  );
  const ends = [...uncapped, toBet].filter((bet) => bet >= fromBet && bet <= toBet);
  let start = fromBet;
  return [...new Set(ends)]
    .sort((a, b) => a - b)
    .map((end) => {
      const band = { fromBet: start, toBet: end, low: at(end), high: at(start) };
      start = end + 1;
      return band;
    });
}
