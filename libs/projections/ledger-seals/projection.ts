import { rowOf, rowsOf, tables } from '@reelbook/event-store/query';
import { assert } from '@reelbook/ledger/assert';
import { postings } from '@reelbook/ledger/event-types';
import type { RecordedEvent } from '@reelbook/ledger/events';
import type { LedgerSealed } from '@reelbook/ledger/seals/decide';
import { parseStream } from '@reelbook/ledger/streams';
import type { SealAnchored } from '@reelbook/ledger/treasury/events';
import type { InferResult } from 'kysely';
import type pg from 'pg';
import { changeRows, type Db, type Projection } from '../projection.ts';

const TABLES = `
create table if not exists ledger_seals_v2 (
  seal bigint primary key,
  from_position bigint not null,
  to_position bigint not null unique,
  root text not null,
  chain_hash text not null,
  position bigint not null,
  sealed_at timestamptz not null
);
create table if not exists ledger_anchors_v2 (
  -- The newest seal that it covers.
  seal bigint primary key,
  from_seal bigint not null,
  seals_root text not null,
  wallet text not null,
  signature text not null,
  slot bigint not null,
  position bigint not null,
  anchored_at timestamptz not null
);
`;

export const ledgerSeals: Projection<SealChanges> = {
  name: 'ledger-seals',
  version: 2,
  tables: [
    { name: 'ledger_seals_v2', key: ['seal'] },
    { name: 'ledger_anchors_v2', key: ['seal'] },
  ],
  tableSql: TABLES,
  fold,
  apply,
};

export type Sealed = LedgerSealed['data'] & {
  /** The position of the seal itself. */
  readonly position: number;
  readonly sealedAt: string;
};

export type Anchored = SealAnchored['data'] & {
  /** The position of the event of the anchor. */
  readonly position: number;
  readonly anchoredAt: string;
};

export interface SealChanges {
  readonly seals: readonly Sealed[];
  readonly anchors: readonly Anchored[];
}

export function fold(events: readonly RecordedEvent[]): SealChanges {
  const seals: Sealed[] = [];
  const anchors: Anchored[] = [];
  for (const { event, stream, position, time } of events) {
    if (event.type === 'LedgerSealed') seals.push({ ...event.data, position, sealedAt: time });
    else if (event.type === 'SealAnchored') {
      anchors.push({ ...event.data, position, anchoredAt: time });
    }
    // Throws at a type that is not listed.
    else postings(event, parseStream(stream).id);
  }
  return { seals, anchors };
}

async function apply(client: pg.ClientBase, changes: SealChanges): Promise<void> {
  await changeRows(client, { name: 'apply-ledger-seals', text: INSERT_SEALS }, changes.seals);
  await changeRows(client, { name: 'apply-ledger-anchors', text: INSERT_ANCHORS }, changes.anchors);
}

const INSERT_SEALS = `
  insert into ledger_seals_v2 (seal, from_position, to_position, root, chain_hash, position,
    sealed_at)
  select seal, "from", "to", root, "chainHash", position, "sealedAt"
  from json_to_recordset($1) as new(seal bigint, "from" bigint, "to" bigint, root text,
    "chainHash" text, position bigint, "sealedAt" timestamptz)`;

const INSERT_ANCHORS = `
  insert into ledger_anchors_v2 (seal, from_seal, seals_root, wallet, signature, slot, position,
    anchored_at)
  select seal, "fromSeal", "sealsRoot", wallet, signature, slot, position, "anchoredAt"
  from json_to_recordset($1) as new(seal bigint, "fromSeal" bigint, "sealsRoot" text, wallet text,
    signature text, slot bigint, position bigint, "anchoredAt" timestamptz)`;

const SEALS_LIMIT_MAX = 100;

/** A seal as the ledger has it: the events `from` to `to`, both included, under one root. */
const SEALS = tables
  .selectFrom('projections.ledger_seals_v2')
  .select(['seal', 'from_position as from', 'to_position as to', 'root', 'position'])
  .select(['chain_hash as chainHash', 'sealed_at as sealedAt']);
export type SealRow = InferResult<typeof SEALS>[number];

/** The seal over the event at a position, or null if there is none yet. */
export async function readSealOver(db: Db, position: number): Promise<SealRow | null> {
  const over = SEALS.where('to_position', '>=', position).orderBy('to_position').limit(1);
  return rowOf(db, over, 'read-seal-over');
}

/** The newest seals, newest first. */
export async function readNewestSeals(db: Db, limit: number): Promise<SealRow[]> {
  assert(limit >= 1 && limit <= SEALS_LIMIT_MAX, 'a limit');
  return rowsOf(db, SEALS.orderBy('seal', 'desc').limit(limit), 'read-newest-seals');
}

/** Roots of the seals from a number on, ascending, in hex. Fewer than exist if the projection is behind. */
export async function readSealRoots(
  db: Db,
  options: { readonly from: number; readonly limit: number },
): Promise<{ readonly seal: number; readonly root: string }[]> {
  const roots = tables
    .selectFrom('projections.ledger_seals_v2')
    .select(['seal', 'root'])
    .where('seal', '>=', options.from)
    .orderBy('seal')
    .limit(options.limit);
  return rowsOf(db, roots, 'read-seal-roots');
}

/** An anchor of seals on the chain; `position` is of its event. */
const ANCHORS = tables
  .selectFrom('projections.ledger_anchors_v2')
  .select(['from_seal as fromSeal', 'seal', 'seals_root as sealsRoot', 'wallet', 'signature'])
  .select(['slot', 'position', 'anchored_at as anchoredAt']);
export type AnchorRow = InferResult<typeof ANCHORS>[number];

/** The newest anchor, or null. */
export async function readNewestAnchor(db: Db): Promise<AnchorRow | null> {
  return rowOf(db, ANCHORS.orderBy('seal', 'desc').limit(1), 'read-newest-anchor');
}

/** The anchor that covers a seal, or null if there is none yet. */
export async function readAnchorOver(db: Db, seal: number): Promise<AnchorRow | null> {
  return rowOf(db, ANCHORS.where('seal', '>=', seal).orderBy('seal').limit(1), 'read-anchor-over');
}

/** The anchors that cover the seals from a number on, ascending. */
export async function readAnchorsFrom(db: Db, seal: number): Promise<AnchorRow[]> {
  const from = ANCHORS.where('seal', '>=', seal).orderBy('seal').limit(SEALS_LIMIT_MAX);
  return rowsOf(db, from, 'read-anchors-from');
}
