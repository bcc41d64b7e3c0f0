import type pg from 'pg';

type Db = pg.Pool | pg.PoolClient;

export type MovementKind = 'deposit' | 'unmatched' | 'withdrawal' | 'other';

/** A finalized transaction that changed what the treasury's token account holds. */
export interface Movement {
  readonly tokenAccount: string;
  readonly signature: string;
  readonly slot: number;
  /** Positive: it arrived. */
  readonly deltaMinor: bigint;
  readonly kind: MovementKind;
  /** The one owner that it came from; null where there was none, or several. */
  readonly sender: string | null;
  readonly reason: string | null;
  readonly recorded: boolean;
}

/** Where the scan of a token account began, and how far it has come. */
export interface Scan {
  readonly tokenAccount: string;
  readonly openingMinor: bigint;
  readonly openingSlot: number;
  readonly cursor: string | null;
  readonly reachedSlot: number;
}

interface Row {
  token_account: string;
  signature: string;
  slot: number;
  delta: string;
  kind: MovementKind;
  sender: string | null;
  reason: string | null;
  recorded: boolean;
}

const COLUMNS = 'token_account, signature, slot, delta::text, kind, sender, reason, recorded';

export async function readScan(db: Db, tokenAccount: string): Promise<Scan | null> {
  const { rows } = await db.query<{
    opening_balance: string;
    opening_slot: number;
    cursor: string | null;
    reached_slot: number;
  }>({
    name: 'read-scan',
    text: `select opening_balance::text, opening_slot, cursor, reached_slot from treasury_scans
      where token_account = $1`,
    values: [tokenAccount],
  });
  const [row] = rows;
  if (!row) return null;
  return {
    tokenAccount,
    openingMinor: BigInt(row.opening_balance),
    openingSlot: row.opening_slot,
    cursor: row.cursor,
    reachedSlot: row.reached_slot,
  };
}

/** Begins a scan with what the account held at a slot; one that has begun stays as it is. */
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

/** Moves the scan on, never back. */
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

/** Adds what was found. What it is was decided by whoever was first, and stays. */
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
  const { rows } = await db.query<Row>({
    name: 'read-movement',
    text: `select ${COLUMNS} from treasury_movements where signature = $1 limit 1`,
    values: [signature],
  });
  return rows[0] ? toMovement(rows[0]) : null;
}

/** What calls for something that may not stand in the book yet, the oldest first. */
export async function readUnrecorded(db: Db, limit: number): Promise<readonly Movement[]> {
  const { rows } = await db.query<Row>({
    name: 'read-unrecorded',
    text: `select ${COLUMNS} from treasury_movements where not recorded order by slot limit $1`,
    values: [limit],
  });
  return rows.map(toMovement);
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
 * What the scanned transactions add up to at the end of a slot: all of them, and without those that are the house's own
 * (`other`). Minor units.
 */
export async function sumMovements(
  db: Db,
  tokenAccount: string,
  slot: number,
): Promise<{ readonly allMinor: bigint; readonly netDepositsMinor: bigint }> {
  const { rows } = await db.query<{ everything: string; flow: string }>({
    name: 'sum-movements',
    text: `select coalesce(sum(delta), 0)::text as everything,
        coalesce(sum(delta) filter (where kind <> 'other'), 0)::text as flow
      from treasury_movements where token_account = $1 and slot <= $2`,
    values: [tokenAccount, slot],
  });
  const [row] = rows;
  return { allMinor: BigInt(row?.everything ?? 0), netDepositsMinor: BigInt(row?.flow ?? 0) };
}

/** The idempotency key of the resolution of an unmatched deposit: the command that used it decided whose it is. */
export function resolutionKey(of: Pick<Movement, 'signature' | 'tokenAccount'>): string {
  return `resolve:${of.signature}:${of.tokenAccount}`;
}

/** Whether somebody has decided whose it is. */
export async function isResolved(
  db: Db,
  of: Pick<Movement, 'signature' | 'tokenAccount'>,
): Promise<boolean> {
  const { rowCount } = await db.query(
    'select from idempotency_keys where key = idempotency_key($1)',
    [resolutionKey(of)],
  );
  return rowCount === 1;
}

/** Of every transfer that arrived: taken by its credit, or by its place in the queue of unmatched ones. */
export function depositKey(of: Pick<Movement, 'signature' | 'tokenAccount'>): string {
  return `deposit:${of.signature}:${of.tokenAccount}`;
}

/** The queue: unmatched deposits that nobody has resolved, the oldest first. The book's own idempotency keys show which. */
export async function readUnmatched(
  db: Db,
  o: { readonly limit: number },
): Promise<readonly Movement[]> {
  const { rows } = await db.query<Row>(
    `select ${COLUMNS} from treasury_movements
      where kind = 'unmatched' and recorded and not exists (select from idempotency_keys
        where key = idempotency_key('resolve:' || signature || ':' || token_account))
      order by seen_at limit $1`,
    [o.limit],
  );
  return rows.map(toMovement);
}

/** Unmatched ones whose sender has become a player since: they need no person. */
export async function readMatchable(db: Db, limit: number): Promise<readonly Movement[]> {
  const { rows } = await db.query<Row>(
    `select ${COLUMNS} from treasury_movements
      where kind = 'unmatched' and recorded and reason = 'no-such-player'
        and exists (select from streams where key = stream_key('player-' || sender))
        and not exists (select from idempotency_keys
          where key = idempotency_key('resolve:' || signature || ':' || token_account))
      order by seen_at limit $1`,
    [limit],
  );
  return rows.map(toMovement);
}

/** Resolutions that stand in the book: position of each, for those whose credit may be missing. */
export async function readResolved(
  db: Db,
  limit: number,
): Promise<readonly (Movement & { readonly position: number })[]> {
  const { rows } = await db.query<Row & { position: number }>(
    `select ${COLUMNS}, idempotency_keys.position from treasury_movements
      join idempotency_keys on key = idempotency_key('resolve:' || signature || ':' || token_account)
      where kind = 'unmatched' and recorded and not exists (select from idempotency_keys as credited
        where credited.key = idempotency_key('resolved:' || signature || ':' || token_account))
        and not exists (select from events where position = idempotency_keys.position
          and body->'data'->>'to' = 'house')
      order by seen_at limit $1`,
    [limit],
  );
  return rows.map((row) => ({ ...toMovement(row), position: row.position }));
}

function toMovement({ token_account, delta, ...row }: Row): Movement {
  return {
    tokenAccount: token_account,
    signature: row.signature,
    slot: row.slot,
    deltaMinor: BigInt(delta),
    kind: row.kind,
    sender: row.sender,
    reason: row.reason,
    recorded: row.recorded,
  };
}
