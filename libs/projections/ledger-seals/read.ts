import { assert } from '@reelbook/ledger/assert';
import type { Db } from '../projection.ts';

const SEALS_LIMIT_MAX = 100;

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
    text: `select ${COLUMNS} from projections.ledger_seals_v2
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
    text: `select ${COLUMNS} from projections.ledger_seals_v2 order by seal desc limit $1`,
    values: [limit],
  });
  return rows.map(toSeal);
}

/** Roots of the seals from a number on, ascending, in hex. Fewer than there are where the read model is behind. */
export async function readSealRoots(
  db: Db,
  o: { readonly from: number; readonly limit: number },
): Promise<{ readonly seal: number; readonly root: string }[]> {
  const { rows } = await db.query<{ seal: number; root: string }>({
    name: 'read-seal-roots',
    text: `select seal, root from projections.ledger_seals_v2
      where seal >= $1 order by seal limit $2`,
    values: [o.from, o.limit],
  });
  return rows;
}

/** An anchor of seals on the chain. */
export interface AnchorRow {
  readonly fromSeal: number;
  readonly seal: number;
  readonly sealsRoot: string;
  readonly wallet: string;
  readonly signature: string;
  readonly slot: number;
  /** Of its event. */
  readonly position: number;
  readonly anchoredAt: string;
}

/** The anchor that covers a seal, or null where none does yet. */
export async function readAnchorOver(db: Db, seal: number): Promise<AnchorRow | null> {
  const { rows } = await db.query<AnchorRow>({
    name: 'read-anchor-over',
    text: `select ${ANCHOR_COLUMNS} from projections.ledger_anchors_v2
      where seal >= $1 order by seal limit 1`,
    values: [seal],
  });
  return rows[0] ?? null;
}

/** The anchors that cover the seals from a number on, ascending. */
export async function readAnchorsFrom(db: Db, seal: number): Promise<AnchorRow[]> {
  const { rows } = await db.query<AnchorRow>({
    name: 'read-anchors-from',
    text: `select ${ANCHOR_COLUMNS} from projections.ledger_anchors_v2
      where seal >= $1 order by seal limit $2`,
    values: [seal, SEALS_LIMIT_MAX],
  });
  return rows;
}

const ANCHOR_COLUMNS = `from_seal as "fromSeal", seal, seals_root as "sealsRoot", wallet, signature, slot, position,
  anchored_at as "anchoredAt"`;

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
