import { assert } from '@reelbook/ledger/assert';
import type { Db } from '../projection.ts';

export const SEALS_LIMIT_MAX = 100;

/** A seal as the book has it: the events `from` to `to`, both included, under one root. */
export interface SealRow {
  readonly seal: number;
  readonly from: number;
  readonly to: number;
  readonly root: string;
  readonly chainHash: string;
  readonly position: number;
  readonly sealedAt: string;
}

interface Row {
  seal: number;
  from_position: number;
  to_position: number;
  root: string;
  chain_hash: string;
  position: number;
  sealed_at: string;
}

const COLUMNS = 'seal, from_position, to_position, root, chain_hash, position, sealed_at';

/** The seal over the event at a position, or null where none is yet. */
export async function readSealOver(db: Db, position: number): Promise<SealRow | null> {
  const { rows } = await db.query<Row>({
    name: 'read-seal-over',
    text: `select ${COLUMNS} from projections.ledger_seals_v1
      where to_position >= $1 order by to_position limit 1`,
    values: [position],
  });
  return rows[0] ? toSeal(rows[0]) : null;
}

/** The newest seals, newest first. */
export async function readNewestSeals(db: Db, limit: number): Promise<SealRow[]> {
  assert(limit >= 1 && limit <= SEALS_LIMIT_MAX, 'a limit');
  const { rows } = await db.query<Row>({
    name: 'read-newest-seals',
    text: `select ${COLUMNS} from projections.ledger_seals_v1 order by seal desc limit $1`,
    values: [limit],
  });
  return rows.map(toSeal);
}

function toSeal(row: Row): SealRow {
  return {
    seal: row.seal,
    from: row.from_position,
    to: row.to_position,
    root: row.root,
    chainHash: row.chain_hash,
    position: row.position,
    sealedAt: row.sealed_at,
  };
}
