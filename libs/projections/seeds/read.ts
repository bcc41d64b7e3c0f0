import { assert } from '@reelbook/ledger/assert';
import type { Db } from '../projection.ts';

const REVEALED_SEEDS_LIMIT_MAX = 100;

export interface RevealedSeed {
  readonly pair: number;
  readonly serverSeedHash: string;
  readonly serverSeed: string;
  readonly clientSeed: string;
  /** It was used for the nonces 0 to `nonces` - 1. */
  readonly nonces: number;
  readonly position: number;
  readonly revealedAt: string;
}

interface Row {
  pair: number;
  server_seed_hash: string;
  server_seed: string;
  client_seed: string;
  nonces: number;
  position: number;
  revealed_at: string;
}

/** A player's revealed pairs, newest first. */
export async function readRevealedSeeds(
  db: Db,
  o: { readonly wallet: string; readonly limit: number },
): Promise<RevealedSeed[]> {
  assert(o.limit >= 1 && o.limit <= REVEALED_SEEDS_LIMIT_MAX, 'a limit');
  const { rows } = await db.query<Row>({
    name: 'read-revealed-seeds',
    text: `select pair, server_seed_hash, server_seed, client_seed, nonces, position, revealed_at
      from projections.seeds_v1 where wallet = $1 order by pair desc limit $2`,
    values: [o.wallet, o.limit],
  });
  return rows.map((row) => ({
    pair: row.pair,
    serverSeedHash: row.server_seed_hash,
    serverSeed: row.server_seed,
    clientSeed: row.client_seed,
    nonces: row.nonces,
    position: row.position,
    revealedAt: row.revealed_at,
  }));
}

/** How many pairs of a player before that one are known as revealed, and how many nonces they used in all. */
export async function readPairsBefore(
  db: Db,
  o: { readonly wallet: string; readonly pair: number },
): Promise<{ readonly pairs: number; readonly nonces: number }> {
  const { rows } = await db.query<{ pairs: number; nonces: number }>({
    name: 'read-pairs-before',
    text: `select count(*) as pairs, coalesce(sum(nonces), 0)::bigint as nonces
      from projections.seeds_v1 where wallet = $1 and pair < $2`,
    values: [o.wallet, o.pair],
  });
  const [sums] = rows;
  assert(sums, 'an aggregate is one row');
  return sums;
}

/** The server seed (64 hex digits) behind a hash, or null as long as it is not revealed. */
export async function readServerSeed(db: Db, serverSeedHash: string): Promise<string | null> {
  const { rows } = await db.query<{ server_seed: string }>({
    name: 'read-server-seed',
    text: 'select server_seed from projections.seeds_v1 where server_seed_hash = $1',
    values: [serverSeedHash],
  });
  return rows[0]?.server_seed ?? null;
}
