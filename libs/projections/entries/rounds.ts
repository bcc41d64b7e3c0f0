import { EVENTS_PER_COMMAND_MAX } from '@reelbook/event-store/append';
import { eventOf } from '@reelbook/event-store/read-log';
import {
  type CommittedSeeds,
  commitmentBefore,
  committedBy,
} from '@reelbook/event-store/read-stream';
import { assert } from '@reelbook/ledger/assert';
import type { EventType } from '@reelbook/ledger/event-types';
import type { PlacedEvent } from '@reelbook/ledger/events';
import type { BetPlaced, Outcome } from '@reelbook/ledger/player/events';
import { parseStream } from '@reelbook/ledger/streams';
import type { Db, Page } from '../projection.ts';
import { parseRound } from './projection.ts';
import { numbersOf } from './type-numbers.ts';

const ROUNDS_PAGE_SIZE_MAX = 100;

type Placed = Omit<BetPlaced['data'], 'atMs' | 'after' | 'timed'>;

export interface Round extends CommittedSeeds, Placed {
  readonly wallet: string;
  readonly betPosition: number;
  readonly placedAt: string;
  /** Null while the round is open. A lost round has paid 0; a voided one its stake, and its outcome is the reason. */
  readonly settled: {
    readonly payoutMinor: bigint;
    readonly outcome: Outcome;
    readonly position: number;
    readonly at: string;
  } | null;
}

const SETTLED: readonly EventType[] = ['BetWon', 'BetLost', 'BetVoided'];

/*
 * SQL in this file: rounds are found by a recursive search, and the three reads share the text that follows its events.
 */

/** From rows `bet` of stakes to the positions of their settlements: of their own command, or of a later one. */
const SETTLEMENT = `left join lateral (
    select coalesce(nullif(bet.settled, 0), (
      select own.position from projections.entries_v1 as own
      where bet.settled is null and own.player = bet.player and own.round = bet.round
        and own.position > bet.position
        and own.position < bet.position + ${EVENTS_PER_COMMAND_MAX}
        and own.type in (${numbersOf(SETTLED)})
      order by own.position limit 1)) as position) as ended on true`;

/** From rows `bet` to the events, newest first. */
const BODIES = `${SETTLEMENT}
  join public.events as placed on placed.position = bet.position
  left join public.events as committed on committed.stream = placed.stream
    and committed.version = ${commitmentBefore('placed.stream', 'placed.version')}
  left join public.events as chosen on chosen.stream = placed.stream
    and chosen.version = committed.version + 1
  left join public.events as settled on settled.position = ended.position
  order by bet.position desc`;

const COLUMNS = `placed.body as placed, settled.body as settled, committed.body as committed,
  chosen.body as chosen`;

interface Row {
  /** Null if the ledger has none, which is an error. */
  readonly committed: string | null;
  readonly chosen: string | null;
  readonly placed: string;
  readonly settled: string | null;
}

/** A player's rounds of one game, newest first, open ones too. Pages count from 1. */
export async function readRounds(
  db: Db,
  options: {
    readonly wallet: string;
    readonly game: string;
    readonly page: number;
    readonly pageSize: number;
  },
): Promise<Page<Round>> {
  assert(
    options.page >= 1 && options.pageSize >= 1 && options.pageSize <= ROUNDS_PAGE_SIZE_MAX,
    'a page',
  );
  const { rows: counted } = await db.query<{ player: number; game: number; total: number }>({
    name: 'count-rounds',
    text: `select bet.player, bet.game, bet.game_round as total
      from projections.entries_players_v1 as own
      join projections.entries_names_v1 as known on known.part = 'game' and known.name = $2,
      lateral (
        select player, game, game_round from projections.entries_v1 as bet
        where bet.player = own.player and bet.game = known.id and bet.game_round is not null
        order by bet.game_round desc limit 1) as bet
      where own.wallet = $1`,
    values: [options.wallet, options.game],
  });
  const { player, game, total = 0 } = counted[0] ?? {};
  const last = total - (options.page - 1) * options.pageSize;
  if (last < 1) return { items: [], total };
  const { rows } = await db.query<Row>({
    name: 'read-rounds',
    text: `select ${COLUMNS} from (
        select position, player, round, settled from projections.entries_v1
        where player = $1 and game = $2 and game_round <= $3 and game_round is not null
        order by game_round desc limit $4) as bet ${BODIES}`,
    values: [player, game, last, options.pageSize],
  });
  return { items: rows.map(toRound), total };
}

/** One round of any player, or null. */
export async function readRound(db: Db, round: string): Promise<Round | null> {
  const found = await readRoundsById(db, [round]);
  return found.get(round) ?? null;
}

/** Rounds of any player by their ids; unknown ones are left out. */
export async function readRoundsById(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Round>> {
  assert(ids.length <= ROUNDS_PAGE_SIZE_MAX, 'a page');
  const { rows } = await db.query<Row>({
    name: 'read-rounds-by-id',
    text: `select ${COLUMNS} from (${STAKES}) as bet ${BODIES}`,
    values: stakesOf(ids),
  });
  return new Map(rows.map(toRound).map((round) => [round.round, round]));
}

/** The positions of rounds; unknown ones are left out. */
export async function findRounds(
  db: Db,
  ids: readonly string[],
): Promise<
  readonly { readonly player: number; readonly position: number; readonly settled: number | null }[]
> {
  const { rows } = await db.query<{ player: number; position: number; settled: number | null }>({
    name: 'find-rounds',
    text: `select bet.player, bet.position, ended.position as settled
      from (${STAKES}) as bet ${SETTLEMENT}`,
    values: stakesOf(ids),
  });
  return rows;
}

function stakesOf(ids: readonly string[]) {
  const named = ids.flatMap((id) => parseRound(id) ?? []);
  return [named.map(({ publicId }) => publicId), named.map(({ n }) => n)];
}

/**
 * Stakes by the public id of the player and the number of the round. A player's rounds of one game are in the order of their
 * numbers, so a binary search in each of the player's games finds one without an index by rounds.
 */
const STAKES = `
  select bet.position, bet.player, bet.round, bet.settled
  from unnest($1::text[], $2::int[]) as requested(public_id, round)
  join projections.entries_players_v1 as own using (public_id),
  lateral (
    with recursive games(game, last) as (
      (select game, game_round from projections.entries_v1
        where player = own.player and game_round is not null
        order by game desc, game_round desc limit 1)
      union all
      select next.game, next.game_round from games, lateral (
        select game, game_round from projections.entries_v1
        where player = own.player and game < games.game and game_round is not null
        order by game desc, game_round desc limit 1) as next
    ), search(game, low, high) as (
      select game, 0, last + 1 from games
      union all
      select game, case when is_before then middle else low end,
        case when is_before then high else middle end
      from search, lateral (
        select bet.game_round as middle, bet.round < requested.round as is_before
        from projections.entries_v1 as bet
        where bet.player = own.player and bet.game = search.game
          and bet.game_round = (low + high) / 2) as step
      where high - low > 1)
    select bet.position, bet.player, bet.round, bet.settled
    from search join projections.entries_v1 as bet
      on bet.player = own.player and bet.game = search.game and bet.game_round = search.high
    where high - low = 1 and bet.round = requested.round) as bet`;

function toRound(row: Row): Round {
  const placed = eventOf(row.placed);
  const committed = [row.committed, row.chosen].filter((body) => body !== null).map(eventOf);
  return roundOf(placed, {
    seeds: committedBy(betOf(placed), committed),
    ended: row.settled === null ? null : eventOf(row.settled),
  });
}

function betOf({ event }: Pick<PlacedEvent, 'event'>): BetPlaced {
  assert(event.type === 'BetPlaced', 'a stake');
  return event;
}

type EventOfRound = Omit<PlacedEvent, 'firstPosition' | 'meta'>;

/** A round from its events. */
export function roundOf(
  placed: EventOfRound,
  options: { readonly seeds: CommittedSeeds; readonly ended: EventOfRound | null },
): Round {
  const { round, game, stakeMinor, lines, choice, rules, pair, nonce } = betOf(placed).data;
  return {
    round,
    game,
    stakeMinor,
    lines,
    rules,
    pair,
    nonce,
    ...(choice && { choice }),
    ...options.seeds,
    wallet: parseStream(placed.stream).id,
    betPosition: placed.position,
    placedAt: placed.time,
    settled: options.ended && settledBy(options.ended),
  };
}

/** A voided round does not show its draw: its outcome is the reason, its payout is the stake. */
function settledBy({ position, time: at, event }: EventOfRound): Round['settled'] {
  switch (event.type) {
    case 'BetWon': {
      const { payoutMinor, outcome } = event.data;
      return { payoutMinor, outcome, position, at };
    }
    case 'BetLost':
      return { payoutMinor: 0n, outcome: event.data.outcome, position, at };
    case 'BetVoided': {
      const { stakeMinor, reason } = event.data;
      return { payoutMinor: stakeMinor, outcome: { voided: reason }, position, at };
    }
    default:
      throw new Error(`a round is not settled by a ${event.type}`);
  }
}
