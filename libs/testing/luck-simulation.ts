import { Chances, Luck, thresholdLog } from '@reelbook/audit/luck';
import { games } from '@reelbook/games/rules';
import { unit } from '@reelbook/ledger/money';

const BET_MAX = 1_000;

/** A number from 0 to 1, 1 not included. */
export type Random = () => number;

/** mulberry32: fast, and the same for the same seed. Nothing here is money. */
export function randomFrom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** What is staked on the next round, in points. `multiple`: what it will pay at small stakes, which only readers know. */
export type Staking = (o: {
  readonly random: Random;
  readonly multiple: number;
  /** The round before: what was staked, and whether it paid. */
  readonly last: { readonly bet: number; readonly won: boolean } | null;
}) => number;

/** Ways to stake of players who know no draw. */
export const HONEST: readonly Staking[] = [
  () => 10,
  ({ random }) => 1 + Math.floor(random() * BET_MAX),
  // Doubles after a loss, and the other way about.
  ({ last }) => (last && !last.won ? Math.min(BET_MAX, 2 * last.bet) : 1),
  ({ last }) => (last?.won ? Math.min(BET_MAX, 2 * last.bet) : 1),
  ({ random }) => (random() < 0.05 ? BET_MAX : 1),
];

/** Ways to stake of players who know every draw. */
export const READERS = {
  '1 on losses, 1,000 on wins': ({ multiple }) => (multiple > 0 ? BET_MAX : 1),
  'the same, and 1,000 on a fifth of the losses': ({ multiple, random }) =>
    multiple > 0 || random() < 0.2 ? BET_MAX : 1,
  'knows every other round, else 1,000': ({ multiple, random }) =>
    random() < 0.5 || multiple > 0 ? BET_MAX : 1,
  '10 on losses, 20 on wins': ({ multiple }) => (multiple > 0 ? 20 : 10),
  '1,000 on wins of 12 or more, else 1': ({ multiple }) => (multiple >= 12 ? BET_MAX : 1),
} satisfies Readonly<Record<string, Staking>>;

export interface Simulated {
  readonly players: number;
  readonly roundsEach: number;
  /** Players whose e-value ever was 10, 100, 1,000, ... or more. */
  readonly reached: readonly number[];
  /** Those from the threshold for so many players on. */
  readonly named: number;
}

const TENS = 6;

/** Honest players at all games, a fifth of them in each of the ways of `HONEST`. */
export function simulateHonest(o: {
  readonly players: number;
  readonly roundsEach: number;
  readonly random: Random;
  readonly onProgress?: (players: number) => void;
}): Simulated {
  const least = thresholdLog(o.players);
  const reached = new Array<number>(TENS).fill(0);
  let named = 0;
  for (let i = 0; i < o.players; i++) {
    const staking = HONEST[i % HONEST.length] as Staking;
    const table = TABLES[Math.floor(i / HONEST.length) % TABLES.length] as Table;
    const luck = new Luck();
    for (let n = 0, last = null; n < o.roundsEach; n++) {
      last = playRound(luck, table, staking, { random: o.random, last });
    }
    reached.forEach((count, tens) => {
      if (luck.mostLog >= Math.LN10 * (tens + 1)) reached[tens] = count + 1;
    });
    if (luck.mostLog >= least) named++;
    if ((i + 1) % 10_000 === 0) o.onProgress?.(i + 1);
  }
  return { players: o.players, roundsEach: o.roundsEach, reached, named };
}

/** How many rounds a reader plays at the slot machine until named among so many players, and what they won by then, in points. */
export function simulateReader(
  staking: Staking,
  o: { readonly players: number; readonly random: Random; readonly roundsMax: number },
): { readonly rounds: number; readonly won: number } | null {
  const [slot] = TABLES as [Table];
  const luck = new Luck();
  let [won, last] = [0, null as Played | null];
  for (let rounds = 1; rounds <= o.roundsMax; rounds++) {
    last = playRound(luck, slot, staking, { random: o.random, last });
    won += last.paid - last.bet;
    if (luck.mostLog >= thresholdLog(o.players)) return { rounds, won };
  }
  return null;
}

interface Played {
  readonly bet: number;
  readonly paid: number;
  readonly won: boolean;
}

function playRound(
  luck: Luck,
  table: Table,
  staking: Staking,
  o: { readonly random: Random; readonly last: Played | null },
): Played {
  const row = table.draw(o.random());
  const bet = staking({ ...o, multiple: table.at(1).rows[row]?.[1] ?? 0 });
  const chances = table.at(bet);
  const multiple = chances.rows[row]?.[1] ?? 0;
  luck.settle(luck.stake(bet, chances), multiple);
  return { bet, paid: bet * multiple, won: multiple > 0 };
}

/** One version of one game's rules, drawn by its published chances. */
interface Table {
  /** The row of the paytable that a number from 0 to 1 picks; -1 for none. */
  draw(random: number): number;
  at(bet: number): Chances;
}

const TABLES: readonly Table[] = games.flatMap((game) =>
  game.rulesIds.map((id) => tableOf(game.odds(id))),
);

function tableOf(odds: ConstructorParameters<typeof Chances>[0]): Table {
  const byBet = new Map<number, Chances>();
  const at = (bet: number) => {
    const known = byBet.get(bet) ?? new Chances(odds, BigInt(bet) * unit('points'));
    byBet.set(bet, known);
    return known;
  };
  const ends: number[] = [];
  for (const [chance] of at(1).rows) ends.push((ends.at(-1) ?? 0) + chance);
  return { at, draw: (random) => ends.findIndex((end) => random < end) };
}
