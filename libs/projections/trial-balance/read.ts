import { readLog } from '@reelbook/event-store/read-log';
import { assert } from '@reelbook/ledger/assert';
import type { Asset } from '@reelbook/ledger/money';
import { postings } from '@reelbook/ledger/postings';
import { parseStream } from '@reelbook/ledger/streams';
import { type Db, NotThereYet, reachedSql } from '../projection.ts';
import { type Line, LineTotals, POSITIONS_PER_SNAPSHOT } from './fold.ts';
import { trialBalance } from './projection.ts';

export const ACCOUNTS_NOW_MAX = 500;

export interface TrialBalance {
  /** Everything up to here is in it. */
  readonly position: number;
  readonly lines: readonly TrialBalanceLine[];
}

/** Positive: the account is owed. Per asset the lines of a true book sum to zero. */
export interface TrialBalanceLine {
  readonly line: Line;
  readonly asset: Asset;
  readonly balanceMinor: bigint;
}

export interface AccountNow {
  readonly account: string;
  readonly asset: Asset;
  readonly balanceMinor: bigint;
}

/**
 * The trial balance once the event at `position` was in: the snapshot before it, and what the book says since (at most
 * POSITIONS_PER_SNAPSHOT events, however long the book). Without a position: as far as the read model has come. What
 * single accounts held tells `postings/read.ts`. Throws `NotThereYet`.
 */
export async function readTrialBalance(
  db: Db,
  o: { readonly position?: number | undefined } = {},
): Promise<TrialBalance> {
  const { rows } = await db.query<{ reached: number | null }>(
    `select reached from ${reachedSql(trialBalance)} as checkpoint(reached)`,
  );
  const reached = rows[0]?.reached ?? 0;
  const position = o.position ?? reached;
  if (position > reached) throw new NotThereYet(trialBalance.name, position);
  const snapshot = position - (position % POSITIONS_PER_SNAPSHOT);
  const totals = new LineTotals();
  if (position > snapshot) {
    const limit = position - snapshot;
    for (const { event, stream } of await readLog(db, { from: snapshot + 1, limit })) {
      for (const posting of postings(event, parseStream(stream).id)) totals.add(posting);
    }
  }
  const before = await readSnapshot(db, snapshot);
  const lines = totals.all().map(({ line, asset, deltaMinor }) => ({
    line,
    asset,
    balanceMinor: deltaMinor + (before.get(`${line} ${asset}`) ?? 0n),
  }));
  return { position, lines };
}

async function readSnapshot(db: Db, position: number): Promise<ReadonlyMap<string, bigint>> {
  const { rows } = await db.query<{ line: string; asset: string; balance: string }>({
    name: 'read-trial-balance',
    text: `select line, asset, balance from projections.trial_balance_snapshots_v2
      where position = $1`,
    values: [position],
  });
  assert(position === 0 || rows.length > 0, `a snapshot of the trial balance at ${position}`);
  return new Map(rows.map(({ line, asset, balance }) => [`${line} ${asset}`, BigInt(balance)]));
}

/** What every account holds now, by account and asset; `after` is the last entry of the page before. */
export async function readAccounts(
  db: Db,
  o: {
    readonly after?: Pick<AccountNow, 'account' | 'asset'> | undefined;
    readonly limit: number;
  },
): Promise<readonly AccountNow[]> {
  assert(o.limit >= 1 && o.limit <= ACCOUNTS_NOW_MAX, 'a limit');
  const { rows } = await db.query<{ account: string; asset: Asset; balance: string }>({
    name: 'read-accounts',
    text: `select account, asset, balance from projections.trial_balance_accounts_v2
      where (account, asset) > ($1, $2) order by account, asset limit $3`,
    values: [o.after?.account ?? '', o.after?.asset ?? '', o.limit],
  });
  return rows.map(({ account, asset, balance }) => ({
    account,
    asset,
    balanceMinor: BigInt(balance),
  }));
}
