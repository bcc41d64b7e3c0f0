import type { Choice } from '@reelbook/ledger/player/events';
import type { Db } from '../projection.ts';

/** Settled rounds of one game and rules with one choice at one stake, over an interval of days. */
export interface StakeFigures {
  readonly game: string;
  readonly rules: string;
  /** Undefined of a game without one. */
  readonly choice?: Choice | undefined;
  readonly stakeMinor: bigint;
  readonly rounds: number;
  readonly paidMinor: bigint;
  readonly voided: number;
}

export interface DayFigures {
  /** YYYY-MM-DD in UTC. */
  readonly day: string;
  readonly game: string;
  readonly rounds: number;
  readonly stakedMinor: bigint;
  readonly paidMinor: bigint;
  readonly voided: number;
}

/** Days in UTC, YYYY-MM-DD, both included. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

/** By day and game, in that order; days without a round are left out. */
export async function readDays(
  db: Db,
  o: Days & { readonly game?: string | undefined },
): Promise<readonly DayFigures[]> {
  const { rows } = await db.query<{
    day: string;
    game: string;
    rounds: string;
    staked: string;
    paid: string;
    voided: string;
  }>({
    name: 'read-game-days',
    text: `select day::text, game, sum(rounds)::text as rounds, sum(rounds * stake)::text as staked,
        sum(paid)::text as paid, sum(voided)::text as voided
      from projections.game_days_v2
      where day between $1::date and $2::date and ($3::text is null or game = $3)
      group by day, game order by day, game`,
    values: [o.from, o.to, o.game ?? null],
  });
  return rows.map(({ day, game, rounds, staked, paid, voided }) => ({
    day,
    game,
    rounds: Number(rounds),
    stakedMinor: BigInt(staked),
    paidMinor: BigInt(paid),
    voided: Number(voided),
  }));
}

/** By game, rules, choice and stake: what an exact band of the return follows from. */
export async function readStakes(db: Db, { from, to }: Days): Promise<readonly StakeFigures[]> {
  const { rows } = await db.query<{
    game: string;
    rules: string;
    choice: string;
    stake: string;
    rounds: string;
    paid: string;
    voided: string;
  }>({
    name: 'read-game-stakes',
    text: `select game, rules, choice, stake::text, sum(rounds)::text as rounds, sum(paid)::text as paid,
        sum(voided)::text as voided
      from projections.game_days_v2 where day between $1::date and $2::date
      group by game, rules, choice, stake order by game, rules, choice, stake`,
    values: [from, to],
  });
  return rows.map(({ game, rules, choice, stake, rounds, paid, voided }) => ({
    game,
    rules,
    choice: choice === '' ? undefined : (JSON.parse(choice) as Choice),
    stakeMinor: BigInt(stake),
    rounds: Number(rounds),
    paidMinor: BigInt(paid),
    voided: Number(voided),
  }));
}

/** Of each game and rules: its first day, and what is open now. */
export async function readStanding(db: Db): Promise<
  readonly {
    readonly game: string;
    readonly rules: string;
    readonly since: string | null;
    readonly openRounds: number;
    readonly openStakesMinor: bigint;
  }[]
> {
  const { rows } = await db.query<{
    game: string;
    rules: string;
    since: string | null;
    open_rounds: string;
    open_stakes: string;
  }>({
    name: 'read-game-standing',
    text: `select game, rules, min(since)::text as since, sum(open)::text as open_rounds,
        sum(stakes)::text as open_stakes
      from (
        select game, rules, min(day) as since, 0 as open, 0 as stakes
          from projections.game_days_v2 group by game, rules
        union all
        select game, rules, null, count(*), sum(stake)
          from projections.game_days_open_v2 group by game, rules) as parts
      group by game, rules order by game, rules`,
  });
  return rows.map(({ game, rules, since, open_rounds, open_stakes }) => ({
    game,
    rules,
    since,
    openRounds: Number(open_rounds),
    openStakesMinor: BigInt(open_stakes),
  }));
}
