import { rowOf, rowsOf, tables } from '@reelbook/event-store/query';
import { assert } from '@reelbook/ledger/assert';
import type { RecordedEvent } from '@reelbook/ledger/events';
import type { SeedRevealed } from '@reelbook/ledger/player/events';
import { parseStream } from '@reelbook/ledger/streams';
import { sql } from 'kysely';
import type pg from 'pg';
import { changeRows, type Db, type Projection } from '../projection.ts';

const TABLES = `
create table if not exists seeds_v1 (
  wallet text not null,
  pair bigint not null,
  server_seed_hash text not null unique,
  server_seed text not null,
  client_seed text not null,
  nonces bigint not null,
  position bigint not null,
  revealed_at timestamptz not null,
  primary key (wallet, pair)
);
`;

export const seeds: Projection<readonly Revealed[]> = {
  name: 'seeds',
  version: 1,
  tables: [{ name: 'seeds_v1', key: ['wallet', 'pair'] }],
  tableSql: TABLES,
  fold,
  apply,
};

export type Revealed = SeedRevealed['data'] & {
  readonly wallet: string;
  readonly position: number;
  readonly revealedAt: string;
};

export function fold(events: readonly RecordedEvent[]): readonly Revealed[] {
  const revealed: Revealed[] = [];
  for (const { event, stream, position, time } of events) {
    const seed = revealedBy(event);
    if (!seed) continue;
    revealed.push({ ...seed, wallet: parseStream(stream).id, position, revealedAt: time });
  }
  return revealed;
}

function revealedBy(event: RecordedEvent['event']): SeedRevealed['data'] | null {
  switch (event.type) {
    case 'SeedRevealed':
      return event.data;
    default:
      return null;
  }
}

async function apply(client: pg.ClientBase, revealed: readonly Revealed[]): Promise<void> {
  await changeRows(client, { name: 'apply-seeds', text: INSERT }, revealed);
}

const INSERT = `
  insert into seeds_v1 (wallet, pair, server_seed_hash, server_seed, client_seed, nonces, position,
    revealed_at)
  select wallet, pair, "serverSeedHash", "serverSeed", "clientSeed", nonces, position, "revealedAt"
  from json_to_recordset($1) as new(wallet text, pair bigint, "serverSeedHash" text,
    "serverSeed" text, "clientSeed" text, nonces bigint, position bigint, "revealedAt" timestamptz)`;

const REVEALED_SEEDS_LIMIT_MAX = 100;

/** A pair was used for the nonces 0 to `nonces` - 1. */
export type RevealedSeed = Awaited<ReturnType<typeof readRevealedSeeds>>[number];

/** A player's revealed pairs, newest first. */
export async function readRevealedSeeds(
  db: Db,
  options: { readonly wallet: string; readonly limit: number },
) {
  assert(options.limit >= 1 && options.limit <= REVEALED_SEEDS_LIMIT_MAX, 'a limit');
  const revealed = tables
    .selectFrom('projections.seeds_v1')
    .select(['pair', 'server_seed_hash as serverSeedHash', 'server_seed as serverSeed'])
    .select(['client_seed as clientSeed', 'nonces', 'position', 'revealed_at as revealedAt'])
    .where('wallet', '=', options.wallet)
    .orderBy('pair', 'desc')
    .limit(options.limit);
  return rowsOf(db, revealed, 'read-revealed-seeds');
}

/** How many pairs of a player before that one are known as revealed, and how many nonces they used in all. */
export async function readPairsBefore(
  db: Db,
  options: { readonly wallet: string; readonly pair: number },
) {
  const before = tables
    .selectFrom('projections.seeds_v1')
    .select([
      sql<number>`count(*)`.as('pairs'),
      sql<number>`coalesce(sum(nonces), 0)::bigint`.as('nonces'),
    ])
    .where('wallet', '=', options.wallet)
    .where('pair', '<', options.pair);
  const sums = await rowOf(db, before, 'read-pairs-before');
  assert(sums, 'an aggregate is one row');
  return sums;
}

/** The server seed (64 hex digits) of a hash, or null until it is revealed. */
export async function readServerSeed(db: Db, serverSeedHash: string): Promise<string | null> {
  const seed = tables
    .selectFrom('projections.seeds_v1')
    .select('server_seed')
    .where('server_seed_hash', '=', serverSeedHash);
  return (await rowOf(db, seed, 'read-server-seed'))?.server_seed ?? null;
}
