import { assert } from '@reelbook/ledger/assert';
import { decode } from '@reelbook/ledger/codec';
import type { Outcome } from '@reelbook/ledger/player/events';
import type { Db, Page } from '../projection.ts';

export const ROUNDS_PAGE_SIZE_MAX = 100;

export interface Round {
  readonly round: string;
  readonly wallet: string;
  readonly game: string;
  readonly stakeMinor: bigint;
  readonly lines: number;
  readonly rules: string;
  readonly serverSeedHash: string;
  readonly clientSeed: string;
  readonly nonce: number;
  readonly betPosition: number;
  readonly placedAt: string;
  /** Null while the round is open. A lost round has paid 0. */
  readonly settled: {
    readonly payoutMinor: bigint;
    readonly outcome: Outcome;
    readonly position: number;
    readonly at: string;
  } | null;
}

interface Row {
  round: string;
  wallet: string;
  game: string;
  stake: string;
  lines: number;
  rules: string;
  server_seed_hash: string;
  client_seed: string;
  nonce: number;
  bet_position: number;
  placed_at: string;
  payout: string | null;
  outcome: string | null;
  position: number | null;
  settled_at: string | null;
}

const COLUMNS = `round, wallet, game, stake, lines, rules, server_seed_hash, client_seed, nonce, bet_position,
  placed_at, payout, outcome, position, settled_at`;

/** A player's rounds of one game, newest first, open ones too. Pages count from 1. */
export async function readRounds(
  db: Db,
  o: {
    readonly wallet: string;
    readonly game: string;
    readonly page: number;
    readonly pageSize: number;
  },
): Promise<Page<Round>> {
  assert(o.page >= 1 && o.pageSize >= 1 && o.pageSize <= ROUNDS_PAGE_SIZE_MAX, 'a page');
  const total = await countRounds(db, o.wallet, o.game);
  const last = total - (o.page - 1) * o.pageSize;
  if (last < 1) return { items: [], total };
  const { rows } = await db.query<Row>({
    name: 'read-rounds',
    text: `select ${COLUMNS} from projections.rounds_v1
      where wallet = $1 and game = $2 and n <= $3 order by n desc limit $4`,
    values: [o.wallet, o.game, last, o.pageSize],
  });
  return { items: rows.map(toRound), total };
}

/** One round of any player, or null. */
export async function readRound(db: Db, round: string): Promise<Round | null> {
  const { rows } = await db.query<Row>({
    name: 'read-round',
    text: `select ${COLUMNS} from projections.rounds_v1 where round = $1`,
    values: [round],
  });
  return rows[0] ? toRound(rows[0]) : null;
}

/** Rounds of any player by their ids; those that are not known are left out. */
export async function readRoundsById(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Round>> {
  assert(ids.length <= ROUNDS_PAGE_SIZE_MAX, 'a page');
  const { rows } = await db.query<Row>({
    name: 'read-rounds-by-id',
    text: `select ${COLUMNS} from projections.rounds_v1 where round = any($1)`,
    values: [ids],
  });
  return new Map(rows.map((row) => [row.round, toRound(row)]));
}

async function countRounds(db: Db, wallet: string, game: string): Promise<number> {
  const { rows } = await db.query<{ n: number }>({
    name: 'count-rounds',
    text: `select n from projections.rounds_v1
      where wallet = $1 and game = $2 order by n desc limit 1`,
    values: [wallet, game],
  });
  return rows[0]?.n ?? 0;
}

function toRound(row: Row): Round {
  const { payout, outcome, position, settled_at: at } = row;
  const settled =
    payout !== null && outcome !== null && position !== null && at !== null
      ? { payoutMinor: BigInt(payout), outcome: decode<Outcome>(outcome), position, at }
      : null;
  return {
    round: row.round,
    wallet: row.wallet,
    game: row.game,
    stakeMinor: BigInt(row.stake),
    lines: row.lines,
    rules: row.rules,
    serverSeedHash: row.server_seed_hash,
    clientSeed: row.client_seed,
    nonce: row.nonce,
    betPosition: row.bet_position,
    placedAt: row.placed_at,
    settled,
  };
}
