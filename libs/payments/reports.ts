import { rowOf, rowsOf, tables } from '@reelbook/event-store/query';
import type { DepositFault } from '@reelbook/ledger/deposit-faults';
import { type InferResult, sql } from 'kysely';
import type pg from 'pg';

type Db = pg.Pool | pg.PoolClient;

/** Reports of one player that are looked for at the same time. */
export const REPORTS_PENDING_MAX = 20;
/** Reports that a player is shown beside what is in the ledger. */
const REPORTS_SHOWN_MAX = 20;

export type ReportStatus = 'pending' | 'completed' | 'failed' | 'review';

/** What became of a transaction that a player reported. */
export interface Report {
  readonly wallet: string;
  readonly signature: string;
  /** As the player says. */
  readonly amountMinor: bigint;
  readonly status: ReportStatus;
  /** Of a failed one, a DepositFault; its English text in rows that are older than the codes. */
  readonly reason: string | null;
  readonly reportedAt: string;
  /** How often it was looked for. */
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
 * Remembers a report; the same one again gives what became of the first, and attempts again for one that was not found.
 * Another player's report of the same transaction is another row: it gains and blocks nothing.
 * @returns null when too many of this player are pending.
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

/** A player's reports that are not in the ledger (yet), newest first. */
export async function readReports(db: Db, wallet: string): Promise<readonly Report[]> {
  const open = REPORTS.where('wallet', '=', wallet)
    .where('status', '<>', sql.lit('completed'))
    .orderBy('reported_at', 'desc')
    .orderBy('signature')
    .limit(REPORTS_SHOWN_MAX);
  return (await rowsOf(db, open, 'read-reports')).map(toReport);
}

/** What a player says is on its way, in minor units of token: reported, looked for, and not in the ledger yet. */
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

/** Pending reports that are due to be looked for, the longest due first. */
export async function readDueReports(db: Db, limit: number): Promise<readonly Report[]> {
  const due = REPORTS.where(sql<boolean>`status = 'pending' and due_at <= now()`)
    .orderBy('due_at')
    .limit(limit);
  return (await rowsOf(db, due, 'read-due-reports')).map(toReport);
}

/** Says what became of a report, or with `pending` when to look again. */
export async function settleReport(
  db: Db,
  report: Pick<Report, 'wallet' | 'signature'>,
  o: { readonly status: ReportStatus; readonly fault?: DepositFault; readonly againMs?: number },
): Promise<void> {
  await db.query({
    name: 'settle-report',
    text: `update deposit_reports set status = $3, reason = $4, attempts = attempts + 1,
        due_at = now() + make_interval(secs => $5::float8 / 1000)
      where wallet = $1 and signature = $2 and status <> 'completed'`,
    values: [report.wallet, report.signature, o.status, o.fault ?? null, o.againMs ?? 0],
  });
}

function toReport({ amount, reported_at, ...row }: Row): Report {
  return { ...row, amountMinor: BigInt(amount), reportedAt: reported_at };
}
