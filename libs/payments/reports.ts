import { rowOf, rowsOf, tables } from '@reelbook/event-store/query';
import type { DepositFault } from '@reelbook/ledger/deposit-faults';
import { type InferResult, sql } from 'kysely';
import type pg from 'pg';

type Db = pg.Pool | pg.PoolClient;

/** Limit of pending reports of one player. */
export const REPORTS_PENDING_MAX = 20;
/** Limit of reports that a player sees in addition to the ledger. */
const REPORTS_SHOWN_MAX = 20;

export type ReportStatus = 'pending' | 'completed' | 'failed' | 'review';

/** The state of a transaction that a player reported. */
export interface Report {
  readonly wallet: string;
  readonly signature: string;
  /** As reported by the player. */
  readonly amountMinor: bigint;
  readonly status: ReportStatus;
  /** Of a failed one, a DepositFault; its English text in rows that are older than the codes. */
  readonly reason: string | null;
  readonly reportedAt: string;
  /** Number of look-ups. */
  readonly attempts: number;
}

const REPORTS = tables
  .selectFrom('deposit_reports')
  .select(['wallet', 'signature', 'reason', 'reported_at', 'attempts'])
  .select((eb) => [
    sql<string>`amount::text`.as('amount'),
    eb.ref('status').$castTo<ReportStatus>().as('status'),
  ]);
type Row = InferResult<typeof REPORTS>[number];

/**
 * Stores a report. A repeated report returns the stored one, and restarts a failed one. Another player's report of the
 * same transaction is a separate row and has no effect on this one.
 * @returns null if the player has too many pending reports.
 */
export async function recordReport(
  db: Db,
  o: { readonly wallet: string; readonly signature: string; readonly amountMinor: bigint },
): Promise<Report | null> {
  const { rows } = await db.query<Row>({
    name: 'record-report',
    text: `insert into deposit_reports as report (wallet, signature, amount)
      select $1, $2, $3 where (select count(*) from deposit_reports
          where wallet = $1 and status = 'pending' and signature <> $2) < $4
      on conflict (wallet, signature) do update set
        status = case report.status when 'failed' then 'pending' else report.status end,
        reason = case report.status when 'failed' then null else report.reason end,
        attempts = case report.status when 'failed' then 0 else report.attempts end,
        reported_at = case report.status when 'failed' then now() else report.reported_at end,
        due_at = case report.status when 'failed' then now() else report.due_at end
      returning wallet, signature, amount::text, status, reason, reported_at, attempts`,
    values: [o.wallet, o.signature, o.amountMinor.toString(), REPORTS_PENDING_MAX],
  });
  return rows[0] ? toReport(rows[0]) : null;
}

/**
 * Where a report belongs: `known` if it is stored and not failed, so the cashier looks it up; `new` if it may be stored;
 * `none` if the player has too many pending reports.
 */
export async function placeOf(
  db: Db,
  { wallet, signature }: Pick<Report, 'wallet' | 'signature'>,
): Promise<'known' | 'new' | 'none'> {
  const counts = tables
    .selectFrom('deposit_reports')
    .select([
      sql<boolean>`coalesce(bool_or(signature = ${signature} and status <> 'failed'), false)`.as(
        'known',
      ),
      sql<number>`(count(*) filter (where status = 'pending'))::int`.as('pending'),
    ])
    .where('wallet', '=', wallet);
  const row = await rowOf(db, counts, 'place-of-report');
  if (row?.known) return 'known';
  return (row?.pending ?? 0) < REPORTS_PENDING_MAX ? 'new' : 'none';
}

/** A player's reports that are not in the ledger, newest first. */
export async function readReports(
  db: Db,
  wallet: string,
  limit = REPORTS_SHOWN_MAX,
): Promise<readonly Report[]> {
  const open = REPORTS.where('wallet', '=', wallet)
    .where('status', '<>', sql.lit('completed'))
    .orderBy('reported_at', 'desc')
    .orderBy('signature')
    .limit(limit);
  return (await rowsOf(db, open, 'read-reports')).map(toReport);
}

/** A player's report of a transaction, or null. */
export async function readReport(
  db: Db,
  { wallet, signature }: Pick<Report, 'wallet' | 'signature'>,
): Promise<Report | null> {
  const own = REPORTS.where('wallet', '=', wallet).where('signature', '=', signature);
  const row = await rowOf(db, own, 'read-report');
  return row && toReport(row);
}

/** Sum of a player's pending reports that are not in the ledger, in minor units of token. */
export async function sumOnItsWay(db: Db, wallet: string): Promise<bigint> {
  const sum = tables
    .selectFrom('deposit_reports as report')
    .select(sql<string>`coalesce(sum(amount), 0)`.as('amount'))
    .where('wallet', '=', wallet)
    .where('status', '=', sql.lit('pending'))
    .where(sql<boolean>`not exists (select from treasury_movements
        where signature = report.signature and recorded)`);
  return BigInt((await rowOf(db, sum, 'sum-on-its-way'))?.amount ?? 0);
}

/** Pending reports that are due for a look-up, longest due first. */
export async function readDueReports(db: Db, limit: number): Promise<readonly Report[]> {
  const due = REPORTS.where(sql<boolean>`status = 'pending' and due_at <= now()`)
    .orderBy('due_at')
    .limit(limit);
  return (await rowsOf(db, due, 'read-due-reports')).map(toReport);
}

/** Stores the state of a report, and for `pending` the time of the next look-up. */
export async function settleReport(
  db: Db,
  report: Pick<Report, 'wallet' | 'signature'>,
  o: {
    readonly status: ReportStatus;
    readonly fault?: DepositFault;
    readonly retryAfterMs?: number;
  },
): Promise<void> {
  await db.query({
    name: 'settle-report',
    text: `update deposit_reports set status = $3, reason = $4, attempts = attempts + 1,
        due_at = now() + make_interval(secs => $5::float8 / 1000)
      where wallet = $1 and signature = $2 and status <> 'completed'`,
    values: [report.wallet, report.signature, o.status, o.fault ?? null, o.retryAfterMs ?? 0],
  });
}

function toReport({ amount, reported_at, ...row }: Row): Report {
  return { ...row, amountMinor: BigInt(amount), reportedAt: reported_at };
}
