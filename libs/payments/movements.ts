import { rowOf, rowsOf, tables } from '@reelbook/event-store/query';
import { type InferResult, sql } from 'kysely';
import type pg from 'pg';

type Db = pg.Pool | pg.PoolClient;

export type MovementKind = 'deposit' | 'unmatched' | 'withdrawal' | 'other';

/** A finalized transaction that changed the balance of the treasury's token account. */
export interface Movement {
  readonly tokenAccount: string;
  readonly signature: string;
  readonly slot: number;
  /** Positive for an arrival. */
  readonly deltaMinor: bigint;
  readonly kind: MovementKind;
  /** The single owner that sent it; null without one or with several. */
  readonly sender: string | null;
  readonly reason: string | null;
  readonly recorded: boolean;
}

/** Start and progress of the scan of a token account. */
export interface Scan {
  readonly tokenAccount: string;
  readonly openingMinor: bigint;
  readonly openingSlot: number;
  readonly cursor: string | null;
  readonly reachedSlot: number;
}

const MOVEMENTS = tables
  .selectFrom('treasury_movements as movement')
  .select(['movement.token_account as tokenAccount', 'movement.signature', 'movement.slot'])
  .select(['movement.delta', 'movement.sender', 'movement.reason', 'movement.recorded'])
  .select((eb) => eb.ref('movement.kind').$castTo<MovementKind>().as('kind'));

export async function readScan(db: Db, tokenAccount: string): Promise<Scan | null> {
  const scan = tables
    .selectFrom('treasury_scans')
    .select(['token_account as tokenAccount', 'opening_balance', 'opening_slot as openingSlot'])
    .select(['cursor', 'reached_slot as reachedSlot'])
    .where('token_account', '=', tokenAccount);
  const row = await rowOf(db, scan, 'read-scan');
  if (!row) return null;
  const { opening_balance: opening, ...found } = row;
  return { ...found, openingMinor: BigInt(opening) };
}

/** Starts a scan with the account's balance at a slot; no-op for a scan that has started. */
export async function openScan(
  db: Db,
  o: { readonly tokenAccount: string; readonly openingMinor: bigint; readonly slot: number },
): Promise<void> {
  await db.query(
    `insert into treasury_scans (token_account, opening_balance, opening_slot, reached_slot)
      values ($1, $2, $3, $3) on conflict do nothing`,
    [o.tokenAccount, o.openingMinor.toString(), o.slot],
  );
}

/** Advances the scan; `reached_slot` never decreases. */
export async function moveScan(
  db: Db,
  tokenAccount: string,
  o: { readonly cursor: string; readonly slot: number },
): Promise<void> {
  await db.query({
    name: 'move-scan',
    text: `update treasury_scans set cursor = $2, reached_slot = greatest(reached_slot, $3)
      where token_account = $1`,
    values: [tokenAccount, o.cursor, o.slot],
  });
}

/** Adds a movement; no-op if it exists. The first classification is final. */
export async function addMovement(
  db: Db,
  { tokenAccount, signature, slot, deltaMinor, kind, sender, reason, recorded }: Movement,
): Promise<void> {
  await db.query({
    name: 'add-movement',
    text: `insert into treasury_movements
        (token_account, signature, slot, delta, kind, sender, reason, recorded)
      values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing`,
    values: [tokenAccount, signature, slot, deltaMinor.toString(), kind, sender, reason, recorded],
  });
}

export async function readMovement(db: Db, signature: string): Promise<Movement | null> {
  const found = MOVEMENTS.where('movement.signature', '=', signature).limit(1);
  const row = await rowOf(db, found, 'read-movement');
  return row && toMovement(row);
}

/** Movements whose event may be missing in the ledger, oldest first. */
export async function readUnrecorded(db: Db, limit: number): Promise<readonly Movement[]> {
  const due = MOVEMENTS.where(({ not }) => not('movement.recorded'))
    .orderBy('movement.slot')
    .limit(limit);
  return (await rowsOf(db, due, 'read-unrecorded')).map(toMovement);
}

export async function markSettled(db: Db, { tokenAccount, signature }: Movement): Promise<void> {
  await db.query({
    name: 'mark-recorded',
    text: `update treasury_movements set recorded = true
      where token_account = $1 and signature = $2`,
    values: [tokenAccount, signature],
  });
}

/**
 * Sum of the scanned transactions at the end of a slot: of all, and without those of the house (`other`). Minor units.
 */
export async function sumMovements(
  db: Db,
  tokenAccount: string,
  slot: number,
): Promise<{ readonly allMinor: bigint; readonly netDepositsMinor: bigint }> {
  const sums = tables
    .selectFrom('treasury_movements')
    .select([
      sql<string>`coalesce(sum(delta), 0)`.as('everything'),
      sql<string>`coalesce(sum(delta) filter (where kind <> 'other'), 0)`.as('flow'),
    ])
    .where('token_account', '=', tokenAccount)
    .where('slot', '<=', slot);
  const row = await rowOf(db, sums, 'sum-movements');
  return { allMinor: BigInt(row?.everything ?? 0), netDepositsMinor: BigInt(row?.flow ?? 0) };
}

/** The idempotency key of the resolution of an unmatched deposit: only one command can use it. */
export function resolutionKey(of: Pick<Movement, 'signature' | 'tokenAccount'>): string {
  return `resolve:${of.signature}:${of.tokenAccount}`;
}

/** Whether the deposit is resolved. */
export async function isResolved(
  db: Db,
  of: Pick<Movement, 'signature' | 'tokenAccount'>,
): Promise<boolean> {
  const key = sql<string>`idempotency_key(${resolutionKey(of)})`;
  const taken = tables.selectFrom('idempotency_keys').select('key').where('key', '=', key);
  return (await rowOf(db, taken)) !== null;
}

/** The idempotency key of an arrived transfer, used by its credit or by its entry in the unmatched queue. */
export function depositKey(of: Pick<Movement, 'signature' | 'tokenAccount'>): string {
  return `deposit:${of.signature}:${of.tokenAccount}`;
}

/** The idempotency key of a step of a row's deposit: `deposit`, `resolve`, or `resolved` once it is credited. */
export const keyOf = (step: 'deposit' | 'resolve' | 'resolved') =>
  sql<string>`idempotency_key(${sql.lit(`${step}:`)} || signature || ':' || token_account)`;

const hasKey = (step: 'resolve' | 'resolved') =>
  sql<boolean>`exists (select from idempotency_keys where key = ${keyOf(step)})`;

/** Same predicate as the index. */
const UNMATCHED = MOVEMENTS.where(sql<boolean>`kind = 'unmatched' and recorded`).orderBy('seen_at');
const UNRESOLVED = UNMATCHED.where(({ not }) => not(hasKey('resolve')));

/** Unmatched deposits without a resolution (by the idempotency keys), oldest first. */
export async function readUnmatched(
  db: Db,
  o: { readonly limit: number },
): Promise<readonly Movement[]> {
  return (await rowsOf(db, UNRESOLVED.limit(o.limit))).map(toMovement);
}

/** Unmatched deposits whose sender has registered since: resolved without an operator. */
export async function readMatchable(db: Db, limit: number): Promise<readonly Movement[]> {
  const isPlayer = sql<boolean>`exists (
    select from streams where key = stream_key('player-' || sender))`;
  const matchable = UNRESOLVED.where('reason', '=', sql.lit('no-such-player')).where(isPlayer);
  return (await rowsOf(db, matchable.limit(limit))).map(toMovement);
}

/** Resolved deposits whose credit may be missing, with the position of the resolution. */
export async function readResolved(
  db: Db,
  limit: number,
): Promise<readonly (Movement & { readonly position: number })[]> {
  const toHouse = sql<boolean>`exists (select from events
    where position = resolution.position and body->'data'->>'to' = 'house')`;
  const resolved = UNMATCHED.innerJoin('idempotency_keys as resolution', (join) =>
    join.on('resolution.key', '=', keyOf('resolve')),
  )
    .select('resolution.position')
    .where(({ not }) => not(hasKey('resolved')))
    .where(({ not }) => not(toHouse))
    .limit(limit);
  return (await rowsOf(db, resolved)).map((row) => ({
    ...toMovement(row),
    position: row.position,
  }));
}

function toMovement({ delta, ...row }: InferResult<typeof MOVEMENTS>[number]): Movement {
  return { ...row, deltaMinor: BigInt(delta) };
}
