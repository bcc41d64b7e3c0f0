import { findIdempotencyKey, hashKey } from '@reelbook/event-store/execution';
import { anyOf, rowOf, rowsOf, tables } from '@reelbook/event-store/query';
import { readEvent } from '@reelbook/event-store/read-log';
import { assert } from '@reelbook/ledger/assert';
import { parseStream, playerStream } from '@reelbook/ledger/streams';
import { type InferResult, sql } from 'kysely';
import type pg from 'pg';
import { readDust, reopenDust } from './dust.ts';

type Db = pg.Pool | pg.PoolClient;

/**
 * `dust`: small, and no player's; the house's own from its arrival. `unread`: no node has returned it in a readable form; its
 * amount is unknown and counted as 0.
 */
export type MovementKind = 'deposit' | 'unmatched' | 'dust' | 'withdrawal' | 'other' | 'unread';

export type MovementPlace = Pick<Movement, 'signature' | 'tokenAccount'>;

/**
 * A finalized transaction that changed the balance of the treasury's token account, in a working table: only a place to look.
 * What it brought is read from the chain, and what was recorded of it from the ledger (`readArrival`).
 */
export interface Movement {
  readonly tokenAccount: string;
  readonly signature: string;
  readonly slot: number;
  /** Positive for an arrival. */
  readonly deltaMinor: bigint;
  readonly kind: MovementKind;
  /** The single owner that sent it; null without one or with several. */
  readonly sender: string | null;
  /** Of an unmatched one; of one that waits, why. */
  readonly reason: string | null;
  readonly recorded: boolean;
}

/** Start and progress of the scan of a token account. */
export interface Scan {
  readonly tokenAccount: string;
  /** Earlier transactions belong to the house. */
  readonly openingSlot: number;
  /** What the sums begin at: the first observation in the ledger, the row's opening until there is one. */
  readonly base: {
    readonly slot: number;
    readonly tokenMinor: bigint;
    readonly netDepositsMinor: bigint;
  };
  readonly cursor: string | null;
  readonly reachedSlot: number;
}

const MOVEMENTS = tables
  .selectFrom('treasury_movements as movement')
  .select(['movement.token_account as tokenAccount', 'movement.signature', 'movement.slot'])
  .select(['movement.delta', 'movement.sender', 'movement.reason', 'movement.recorded'])
  .select((eb) => eb.ref('movement.kind').$castTo<MovementKind>().as('kind'));

/** The row cannot move the opening once the ledger has an observation without deposits before it, nor begin after the first one. */
export async function readScan(db: Db, tokenAccount: string): Promise<Scan | null> {
  const scan = tables
    .selectFrom('treasury_scans')
    .select(['token_account as tokenAccount', 'opening_balance', 'opening_slot'])
    .select(['cursor', 'reached_slot as reachedSlot'])
    .where('token_account', '=', tokenAccount);
  const row = await rowOf(db, scan, 'read-scan');
  if (!row) return null;
  const first = await rowOf(db, FIRST_OBSERVATION, 'first-observation');
  const { opening_balance: opening, opening_slot: slot, ...found } = row;
  if (!first) {
    const base = { slot, tokenMinor: BigInt(opening), netDepositsMinor: 0n };
    return { ...found, openingSlot: slot, base };
  }
  const { token, netDeposits, slot: at } = first;
  const netDepositsMinor = BigInt(netDeposits ?? 0);
  const base = { slot: at, tokenMinor: BigInt(token), netDepositsMinor };
  return { ...found, openingSlot: netDeposits === null ? at : Math.min(slot, at), base };
}

const observed = (name: 'tokenMinor' | 'netDepositsMinor' | 'slot') =>
  sql`body->'data'->>${sql.lit(name)}`;
const FIRST_OBSERVATION = tables
  .selectFrom('events')
  .select([
    sql<string>`${observed('tokenMinor')}`.as('token'),
    sql<string | null>`${observed('netDepositsMinor')}`.as('netDeposits'),
    sql<number>`(${observed('slot')})::int8`.as('slot'),
  ])
  .where(sql<boolean>`stream = stream_key('treasury') and type = 'TreasuryObserved'`)
  .where(sql<boolean>`${observed('slot')} is not null`)
  .orderBy('version')
  .limit(1);

/**
 * Starts a scan with the account's balance at a slot; no-op for a scan that has started, also if its row was deleted: by the
 * ledger the treasury was observed, and a later opening would skip deposits.
 */
export async function openScan(
  db: Db,
  o: { readonly tokenAccount: string; readonly openingMinor: bigint; readonly slot: number },
): Promise<void> {
  await db.query(
    `insert into treasury_scans (token_account, opening_balance, opening_slot, reached_slot)
      select $1, $2, $3, $3 where not exists (select from events
        where stream = stream_key('treasury') and type = 'TreasuryObserved'
          and body->'data'->>'slot' is not null)
      on conflict do nothing`,
    [o.tokenAccount, o.openingMinor.toString(), o.slot],
  );
}

/** Advances the scan. `reached_slot` follows the list, so that a slot that a node made up does not stay. */
export async function moveScan(
  db: Db,
  tokenAccount: string,
  o: { readonly cursor: string; readonly slot: number },
): Promise<void> {
  await db.query({
    name: 'move-scan',
    text: `update treasury_scans set cursor = $2, reached_slot = $3
      where token_account = $1`,
    values: [tokenAccount, o.cursor, o.slot],
  });
}

/** Adds a movement, or corrects the stored one if it differs from the chain. @returns whether anything changed. */
export async function addMovement(
  db: Db,
  { tokenAccount, signature, slot, deltaMinor, kind, sender, reason, recorded }: Movement,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'add-movement',
    text: `insert into treasury_movements as known
        (token_account, signature, slot, delta, kind, sender, reason, recorded)
      values ($1, $2, $3, $4, $5, $6, $7, $8)
      on conflict (token_account, signature) do update set slot = excluded.slot,
        delta = excluded.delta, kind = excluded.kind, sender = excluded.sender,
        reason = excluded.reason, recorded = excluded.recorded, attempts = 0, due_at = now()
      where (known.slot, known.delta) is distinct from (excluded.slot, excluded.delta)
        or known.kind <> excluded.kind and not known.recorded
        or excluded.recorded and (known.kind, known.recorded) is distinct from (excluded.kind, true)`,
    values: [tokenAccount, signature, slot, deltaMinor.toString(), kind, sender, reason, recorded],
  });
  return rowCount === 1;
}

/**
 * Limit of transactions that are set aside. Further ones are passed over; if one of them moved tokens, the treasury holds more
 * than the movements explain, and its list is walked again.
 */
const UNREAD_MAX = 1_000;

/**
 * Sets aside a listed transaction that no node returned in a readable form, as looked up once: new ones come first.
 * @returns whether it is a new one.
 */
export async function setAside(
  db: Db,
  { tokenAccount, signature, slot }: Pick<Movement, 'tokenAccount' | 'signature' | 'slot'>,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'set-movement-aside',
    text: `insert into treasury_movements (token_account, signature, slot, delta, kind, recorded, attempts)
      select $1, $2, $3, 0, 'unread', false, 1 where (select count(*) from treasury_movements
        where kind = 'unread' and not recorded) < $4
      on conflict do nothing`,
    values: [tokenAccount, signature, slot, UNREAD_MAX],
  });
  return rowCount === 1;
}

/** Of any token account by default. */
export async function readMovement(
  db: Db,
  signature: string,
  tokenAccount?: string,
): Promise<Movement | null> {
  const found = MOVEMENTS.where('movement.signature', '=', signature).limit(1);
  const own = tokenAccount ? found.where('movement.token_account', '=', tokenAccount) : found;
  const row = await rowOf(db, own);
  return row && toMovement(row);
}

/** Pauses between two look-ups of a movement, growing exponentially. */
const RETRY_MIN_S = 1;
const RETRY_MAX_S = 120;

/**
 * Movements whose event may be missing in the ledger and that are due, longest due first, or due later than `postpone` sets.
 * Those that have waited before, and dust, have limits of their own, so that they do not delay new ones. `known`: dust that is not
 * looked up again.
 */
export async function readDue(
  db: Db,
  {
    tokenAccount,
    limit,
    known,
  }: {
    readonly tokenAccount: string;
    readonly limit: number;
    readonly known: readonly string[];
  },
): Promise<readonly Movement[]> {
  const due = MOVEMENTS.where('movement.token_account', '=', tokenAccount)
    .where(sql<boolean>`not movement.recorded and (movement.due_at <= now()
      or movement.due_at > now() + make_interval(secs => ${sql.lit(2 * RETRY_MAX_S)}))`)
    .orderBy('movement.due_at')
    .limit(limit);
  const others = due.where(sql<boolean>`movement.kind <> 'dust'`);
  const dust = due
    .where(
      sql<boolean>`movement.kind = 'dust' and not movement.signature = ${anyOf('text', known)}`,
    )
    .clearOrderBy()
    .orderBy('movement.attempts');
  const parts = [
    rowsOf(db, others.where('movement.attempts', '=', sql.lit(0)), 'read-due'),
    rowsOf(db, others.where('movement.attempts', '>', sql.lit(0)), 'read-due-again'),
    rowsOf(db, dust.orderBy('movement.due_at'), 'read-due-dust'),
  ];
  return (await Promise.all(parts)).flat().map(toMovement);
}

/** Stores why a movement waits, and the time of its next look-up. */
export async function postpone(
  db: Db,
  { tokenAccount, signature }: MovementPlace,
  reason: string,
): Promise<void> {
  await db.query({
    name: 'postpone-movement',
    text: `update treasury_movements set attempts = least(attempts, 30) + 1, reason = $3,
        due_at = now() + make_interval(secs => least($5::float8, $4::float8 * 2 ^ least(attempts, 20)))
      where token_account = $1 and signature = $2 and not recorded`,
    values: [tokenAccount, signature, reason, RETRY_MIN_S, RETRY_MAX_S],
  });
}

/** The event of an arrival in the ledger. */
export interface Arrival {
  readonly kind: 'deposit' | 'unmatched' | 'dust';
  readonly slot: number;
  readonly deltaMinor: bigint;
  /** The player who was credited, or the sender if it is known. */
  readonly sender: string | null;
  readonly reason: string | null;
}

/** What the ledger has of a transfer: its credit, its entry in the unmatched queue, or in the dust of a day. Null: nothing. */
export async function readArrival(pool: pg.Pool, of: MovementPlace): Promise<Arrival | null> {
  const key = await findIdempotencyKey(pool, hashKey(depositKey(of)));
  const recorded = key && (await readEvent(pool, key.position));
  if (!recorded) return (await readDust(pool, of.tokenAccount, [of.signature]))[0] ?? null;
  const { event, stream } = recorded;
  assert(
    event.type === 'DepositCredited' || event.type === 'UnmatchedDepositSeen',
    `${depositKey(of)} is the key of an arrival`,
  );
  const { signature, tokenAccount, slot, amountMinor: deltaMinor } = event.data;
  assert(
    signature === of.signature && tokenAccount === of.tokenAccount,
    `#${recorded.position} is the arrival of ${of.signature}`,
  );
  if (event.type === 'UnmatchedDepositSeen') {
    const { sender, reason } = event.data;
    return { kind: 'unmatched', slot, deltaMinor, sender, reason };
  }
  return { kind: 'deposit', slot, deltaMinor, sender: parseStream(stream).id, reason: null };
}

/** Completes a movement with what the ledger has of it. */
export async function markRecorded(
  db: Db,
  { tokenAccount, signature }: MovementPlace,
  { kind, slot, deltaMinor, sender, reason }: Arrival,
): Promise<void> {
  await db.query({
    name: 'mark-recorded',
    text: `update treasury_movements set recorded = true,
        kind = $3, slot = $4, delta = $5, sender = $6, reason = $7
      where token_account = $1 and signature = $2`,
    values: [tokenAccount, signature, kind, slot, deltaMinor.toString(), sender, reason],
  });
}

/** Removes a movement that moved nothing of the treasury. */
export async function removeMovement(
  db: Db,
  { tokenAccount, signature }: MovementPlace,
): Promise<void> {
  await db.query('delete from treasury_movements where token_account = $1 and signature = $2', [
    tokenAccount,
    signature,
  ]);
}

/** Opens the arrivals again that are marked as recorded, but are not in the ledger as what they are marked. */
export async function reopenUnrecorded(db: Db): Promise<number> {
  const { rowCount } = await db.query(
    `update treasury_movements as movement set recorded = false, attempts = 0, due_at = now()
      where recorded and delta > 0 and kind <> 'dust' and not exists (
        select from idempotency_keys as arrival join events using (position)
        where arrival.key = idempotency_key('deposit:' || signature || ':' || token_account)
          and events.type = case movement.kind when 'deposit' then 'DepositCredited'
            else 'UnmatchedDepositSeen' end)`,
  );
  return (rowCount ?? 0) + (await reopenDust(db));
}

/** Sums of the last 24 hours that were credited on the report of one provider, by the ledger. */
export async function sumOneProvider(
  db: Db,
  wallet: string,
): Promise<{ readonly playerMinor: bigint; readonly siteMinor: bigint }> {
  const { rows } = await db.query<{ site: string; player: string }>({
    name: 'sum-one-provider',
    text: `select coalesce(sum(minor), 0) as site,
        coalesce(sum(minor) filter (where stream = stream_key($1)), 0) as player
      from events, lateral (select (body->'data'->>'amountMinor')::numeric as minor) as credited
      where type = 'DepositCredited' and body->'data'->>'providers' = '1'
        and recorded_at > clock_timestamp() - interval '24 hours'`,
    values: [playerStream(wallet)],
  });
  return { playerMinor: BigInt(rows[0]?.player ?? 0), siteMinor: BigInt(rows[0]?.site ?? 0) };
}

/** Slots after `from`, up to `to`. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** The sum of the scanned transactions, or of those that left, in minor units. */
export async function sumMovements(
  db: Db,
  tokenAccount: string,
  { from, to, isOut = false }: Span & { readonly isOut?: boolean },
): Promise<bigint> {
  const { rows } = await db.query<{ minor: string }>({
    name: 'sum-movements',
    text: `select coalesce(sum(delta), 0) as minor from treasury_movements
      where token_account = $1 and slot > $2 and slot <= $3 and (delta < 0 or not $4)`,
    values: [tokenAccount, from, to, isOut],
  });
  return BigInt(rows[0]?.minor ?? 0);
}

/** Attempts of a withdrawal that are looked up; the cashier makes five, and operators allow more. */
const ATTEMPTS_LOOKED_UP = 20;
/** Rows of one step: less than a second, also if each is looked up so often. */
const OUTFLOWS_PER_STEP = 2_000;

/**
 * What left without a payment of the ledger, in minor units: of the next rows after a signature. A row is only a place to look: what
 * it has above the net amount that the ledger has signed left otherwise. `outMinor`: the sum of the rows, below 0. `last`: the next
 * step begins after it; null at the end.
 */
export async function sumUnsigned(
  db: Db,
  tokenAccount: string,
  { from, to, after }: Span & { readonly after: string },
): Promise<{ readonly minor: bigint; readonly outMinor: bigint; readonly last: string | null }> {
  const { rows } = await db.query<{ minor: string; out: string; last: string | null }>({
    name: 'sum-unsigned',
    text: `select coalesce(sum(greatest(0, -delta - coalesce(paid.minor, 0))), 0) as minor,
        coalesce(sum(delta), 0) as out,
        case count(*) when $5 then max(signature) end as last
      from (select signature, delta, reason from treasury_movements
        where token_account = $1 and delta < 0 and slot > $2 and slot <= $3 and signature > $4
        order by signature limit $5) as outflow
      left join lateral (
        select (requested.body->'data'->>'netMinor')::numeric as minor
        from generate_series(1, ${ATTEMPTS_LOOKED_UP}) as attempt
          join idempotency_keys as signing
            on signing.key = idempotency_key('withdrawal:' || outflow.reason || ':attempt:' || attempt)
          join events as signed using (position)
          join lateral (select body from events as earlier
            where earlier.stream = signed.stream and earlier.version < signed.version
              and earlier.type = 'WithdrawalRequested'
              and earlier.body->'data'->>'withdrawal' = signed.body->'data'->>'withdrawal'
            order by earlier.version desc limit 1) as requested on true
        where signed.type = 'WithdrawalSigned'
          and signed.body->'data'->>'signature' = outflow.signature
        limit 1) as paid on true`,
    values: [tokenAccount, from, to, after, OUTFLOWS_PER_STEP],
  });
  const [{ minor, out, last } = { minor: '0', out: '0', last: null }] = rows;
  return { minor: BigInt(minor), outMinor: BigInt(out), last };
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
const keyOf = (step: 'deposit' | 'resolve' | 'resolved') =>
  sql<string>`idempotency_key(${sql.lit(`${step}:`)} || signature || ':' || token_account)`;

const hasKey = (step: 'resolve' | 'resolved') =>
  sql<boolean>`exists (select from idempotency_keys where key = ${keyOf(step)})`;

/**
 * Unmatched deposits as the ledger has them; the movement is only a place to look. The first predicate is that of the index.
 */
const seenData = <T>(name: 'slot' | 'amountMinor' | 'sender' | 'reason') =>
  sql<T>`seen.body->'data'->>${sql.lit(name)}`;
const UNMATCHED = tables
  .selectFrom('treasury_movements as movement')
  .innerJoin('idempotency_keys as arrival', (join) => join.on('arrival.key', '=', keyOf('deposit')))
  .innerJoin('events as seen', 'seen.position', 'arrival.position')
  .where(sql<boolean>`kind = 'unmatched' and recorded`)
  .where('seen.type', '=', sql.lit('UnmatchedDepositSeen'))
  .select(['movement.token_account as tokenAccount', 'movement.signature', 'movement.recorded'])
  .select([sql<number>`(${seenData('slot')})::float8`.as('slot')])
  .select([seenData<string>('amountMinor').as('delta')])
  .select([seenData<string | null>('sender').as('sender')])
  .select([seenData<string | null>('reason').as('reason')])
  .select((eb) => eb.ref('movement.kind').$castTo<MovementKind>().as('kind'))
  .orderBy('seen_at')
  .orderBy('signature');
const UNRESOLVED = UNMATCHED.where(({ not }) => not(hasKey('resolve')));

/** Unmatched deposits without a resolution (by the idempotency keys), oldest first. */
export async function readUnmatched(
  db: Db,
  o: { readonly limit: number },
): Promise<readonly Movement[]> {
  return (await rowsOf(db, UNRESOLVED.limit(o.limit))).map(toMovement);
}

/** One, resolved or not; null if the ledger has none of that signature. */
export async function readUnmatchedOf(db: Db, signature: string): Promise<Movement | null> {
  const row = await rowOf(db, UNMATCHED.where('movement.signature', '=', signature).limit(1));
  return row && toMovement(row);
}

/** Unmatched deposits whose sender has registered since: resolved without an operator. */
export async function readMatchable(db: Db, limit: number): Promise<readonly Movement[]> {
  const registered = sql<boolean>`exists (select from events where type = 'PlayerRegistered' and version = 1
    and stream = stream_key('player-' || (${seenData('sender')})))`;
  const matchable = UNRESOLVED.where(sql<boolean>`${seenData('reason')} = 'no-such-player'`);
  return (await rowsOf(db, matchable.where(registered).limit(limit))).map(toMovement);
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

type Row = InferResult<typeof MOVEMENTS>[number];

function toMovement({ tokenAccount, signature, slot, delta, kind, sender, reason, recorded }: Row) {
  return {
    tokenAccount,
    signature,
    slot,
    deltaMinor: BigInt(delta),
    kind,
    sender,
    reason,
    recorded,
  } satisfies Movement;
}
