import { postings } from '@reelbook/ledger/event-types';
import type { RecordedEvent } from '@reelbook/ledger/events';
import type { Choice } from '@reelbook/ledger/player/events';
import { parseStream } from '@reelbook/ledger/streams';
import type pg from 'pg';
import { changeRows, type Db, type Projection } from '../projection.ts';

const TABLES = `
-- Rounds of a day (UTC, of the settlement), by game, rules, choice (JSON; empty without one) and stake, from which the exact
-- mean and variance of the payout are computed. rounds and paid are without voided rounds.
create table if not exists game_days_v2 (
  day date not null,
  game text not null,
  rules text not null,
  choice text not null,
  stake numeric not null,
  rounds bigint not null,
  paid numeric not null,
  voided bigint not null,
  primary key (day, game, rules, choice, stake)
);
-- Open rounds: the events that end them do not contain their rules.
create table if not exists game_days_open_v2 (
  round text primary key,
  game text not null,
  rules text not null,
  choice text not null,
  stake numeric not null
);
`;

export const gameDays: Projection<GameDaysChanges> = {
  name: 'game-days',
  version: 2,
  tables: [
    { name: 'game_days_v2', key: ['day', 'game', 'rules', 'choice', 'stake'] },
    { name: 'game_days_open_v2', key: ['round'] },
  ],
  tableSql: TABLES,
  fold,
  apply,
};

/** A round that the batch starts and does not end. */
export interface Begun {
  readonly round: string;
  readonly game: string;
  readonly rules: string;
  /** As JSON, its keys in order; empty if the game has none. */
  readonly choice: string;
  readonly stakeMinor: bigint;
}

/** A round of an earlier batch that ended. */
export interface Ended {
  readonly round: string;
  /** YYYY-MM-DD in UTC. */
  readonly day: string;
  readonly paidMinor: bigint;
  readonly voided: boolean;
}

/** The batch's rounds of one day, game, rules, choice and stake. */
export interface DaySum extends Omit<Begun, 'round'> {
  readonly day: string;
  readonly rounds: number;
  readonly paidMinor: bigint;
  readonly voided: number;
}

export interface GameDaysChanges {
  readonly begun: readonly Begun[];
  readonly ended: readonly Ended[];
  readonly sums: readonly DaySum[];
}

export function fold(events: readonly RecordedEvent[]): GameDaysChanges {
  const begun = new Map<string, Begun>();
  const ended: Ended[] = [];
  const sums = new Map<string, DaySum>();
  for (const { event, stream, time } of events) {
    // Throws at a type that is not listed.
    postings(event, parseStream(stream).id);
    const day = time.slice(0, 10);
    switch (event.type) {
      case 'BetPlaced': {
        const { round, game, rules, stakeMinor } = event.data;
        const choice = choiceText(event.data.choice);
        begun.set(round, { round, game, rules, choice, stakeMinor });
        break;
      }
      case 'BetWon':
      case 'BetLost':
      case 'BetVoided': {
        const { round } = event.data;
        const paidMinor = event.type === 'BetWon' ? event.data.payoutMinor : 0n;
        const end = { round, day, paidMinor, voided: event.type === 'BetVoided' };
        const own = begun.get(round);
        if (!own) ended.push(end);
        else {
          begun.delete(round);
          add(sums, own, end);
        }
        break;
      }
    }
  }
  return { begun: [...begun.values()], ended, sums: [...sums.values()] };
}

function add(sums: Map<string, DaySum>, begun: Begun, { day, paidMinor, voided }: Ended): void {
  const { game, rules, choice, stakeMinor } = begun;
  const key = `${day} ${game} ${rules} ${stakeMinor} ${choice}`;
  const before = sums.get(key) ?? { rounds: 0, paidMinor: 0n, voided: 0 };
  sums.set(key, {
    day,
    game,
    rules,
    choice,
    stakeMinor,
    rounds: before.rounds + (voided ? 0 : 1),
    paidMinor: before.paidMinor + paidMinor,
    voided: before.voided + (voided ? 1 : 0),
  });
}

function choiceText(choice: Choice | undefined): string {
  if (!choice) return '';
  const fields = Object.entries(choice).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify(Object.fromEntries(fields));
}

async function apply(client: pg.ClientBase, changes: GameDaysChanges): Promise<void> {
  await changeRows(client, { name: 'apply-game-days-ended', text: ENDED }, changes.ended);
  await changeRows(client, { name: 'apply-game-days-sums', text: SUMS }, changes.sums);
  await changeRows(client, { name: 'apply-game-days-begun', text: BEGUN }, changes.begun);
}

const ADD = `
  on conflict (day, game, rules, choice, stake) do update set rounds = old.rounds + excluded.rounds,
    paid = old.paid + excluded.paid, voided = old.voided + excluded.voided`;

/** Removes them from the open rounds and adds them to their days. */
const ENDED = `
  with ended as (
    delete from game_days_open_v2 as open
    using json_to_recordset($1) as ended(round text, day date, "paidMinor" numeric, voided boolean)
    where open.round = ended.round
    returning ended.day, open.game, open.rules, open.choice, open.stake, ended."paidMinor" as paid, ended.voided
  )
  insert into game_days_v2 as old (day, game, rules, choice, stake, rounds, paid, voided)
  select day, game, rules, choice, stake, count(*) filter (where not voided), sum(paid),
    count(*) filter (where voided)
  from ended group by day, game, rules, choice, stake
  ${ADD}`;

const SUMS = `
  insert into game_days_v2 as old (day, game, rules, choice, stake, rounds, paid, voided)
  select day, game, rules, choice, "stakeMinor", rounds, "paidMinor", voided
  from json_to_recordset($1) as new(day date, game text, rules text, choice text, "stakeMinor" numeric,
    rounds bigint, "paidMinor" numeric, voided bigint)
  ${ADD}`;

const BEGUN = `
  insert into game_days_open_v2 (round, game, rules, choice, stake)
  select round, game, rules, choice, "stakeMinor"
  from json_to_recordset($1) as new(round text, game text, rules text, choice text, "stakeMinor" numeric)`;

/** Settled rounds of one game and rules with one choice at one stake, over an interval of days. */
export interface StakeFigures extends Omit<DaySum, 'day' | 'choice'> {
  /** Undefined for a game without one. */
  readonly choice?: Choice | undefined;
}

/** Days in UTC, YYYY-MM-DD, both included. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

/** By game, rules, choice and stake: the input of the exact band of the return. */
export async function readStakes(db: Db, days: Days): Promise<readonly StakeFigures[]> {
  type Row = Pick<StakeFigures, 'rounds' | 'voided'> &
    Record<'game' | 'rules' | 'choice' | 'stake' | 'paid', string>;
  const { rows } = await db.query<Row>({
    name: 'read-game-stakes',
    text: `select game, rules, choice, stake, sum(rounds)::bigint as rounds, sum(paid) as paid,
        sum(voided)::bigint as voided
      from projections.game_days_v2
      where day between $1::date and $2::date group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
    values: [days.from, days.to],
  });
  return rows.map(({ choice, stake, paid, ...one }) => ({
    ...one,
    choice: choice === '' ? undefined : (JSON.parse(choice) as Choice),
    stakeMinor: BigInt(stake),
    paidMinor: BigInt(paid),
  }));
}
