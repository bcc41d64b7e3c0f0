import { rowsOf, tables } from '@reelbook/event-store/query';
import type { Choice } from '@reelbook/ledger/player/events';
import { sql } from 'kysely';
import type { Db } from '../projection.ts';

/** Settled rounds of one game and rules with one choice at one stake, over an interval of days. */
export interface StakeFigures {
  readonly game: string;
  readonly rules: string;
  /** Undefined for a game without one. */
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
  options: Days & { readonly game?: string | undefined },
): Promise<readonly DayFigures[]> {
  const days = GAME_DAYS.select([
    sql<string>`day::text`.as('day'),
    'game',
    ROUNDS,
    sql<string>`sum(rounds * stake)`.as('staked'),
    PAID,
    VOIDED,
  ])
    .where(within(options))
    .where(sql<boolean>`(${options.game ?? null}::text is null or game = ${options.game ?? null})`)
    .groupBy(['day', 'game'])
    .orderBy('day')
    .orderBy('game');
  const rows = await rowsOf(db, days, 'read-game-days');
  return rows.map(({ staked, paid, ...one }) => ({
    ...one,
    stakedMinor: BigInt(staked),
    paidMinor: BigInt(paid),
  }));
}

const GAME_DAYS = tables.selectFrom('projections.game_days_v2');
const ROUNDS = sql<number>`sum(rounds)::bigint`.as('rounds');
const PAID = sql<string>`sum(paid)`.as('paid');
const VOIDED = sql<number>`sum(voided)::bigint`.as('voided');
const within = ({ from, to }: Days) => sql<boolean>`day between ${from}::date and ${to}::date`;

/** By game, rules, choice and stake: the input of the exact band of the return. */
export async function readStakes(db: Db, days: Days): Promise<readonly StakeFigures[]> {
  const group = ['game', 'rules', 'choice', 'stake'] as const;
  const stakes = GAME_DAYS.select([...group, ROUNDS, PAID, VOIDED])
    .where(within(days))
    .groupBy(group)
    .orderBy('game')
    .orderBy('rules')
    .orderBy('choice')
    .orderBy('stake');
  const rows = await rowsOf(db, stakes, 'read-game-stakes');
  return rows.map(({ choice, stake, paid, ...one }) => ({
    ...one,
    choice: choice === '' ? undefined : (JSON.parse(choice) as Choice),
    stakeMinor: BigInt(stake),
    paidMinor: BigInt(paid),
  }));
}
