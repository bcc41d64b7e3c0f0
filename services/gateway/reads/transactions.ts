import { holdText } from '@reelbook/contract/english-text';
import type { DataOf } from '@reelbook/contract/player/routes';
import { readHolds } from '@reelbook/payments/holds';
import { readReports } from '@reelbook/payments/reports';
import { readTransactions } from '@reelbook/projections/entries/transactions';
import { reportAnswer } from '../answers/payments.ts';
import { transactionAnswer } from '../answers/wallet.ts';
import type { Gateway } from '../context.ts';

type Reader = Pick<Gateway, 'pool'>;

/** A page of a player's list. */
export interface PageOf {
  readonly wallet: string;
  readonly page: number;
  readonly pageSize: number;
}

export async function readTransactionPage(
  { pool }: Reader,
  options: PageOf,
): Promise<DataOf<'transactions'>> {
  // Reported deposits that are not in the ledger yet come first.
  const reports = await readReports(pool, options.wallet);
  const first = (options.page - 1) * options.pageSize;
  const shown = reports.slice(first, first + options.pageSize);
  const skip = Math.max(0, first - reports.length);
  const limit = options.pageSize - shown.length;
  const { items, total } = await readTransactions(pool, { wallet: options.wallet, skip, limit });
  const open = items.flatMap(({ withdrawal }) => withdrawal ?? []);
  const holds = open.length > 0 ? await readHolds(pool, open) : null;
  const moved = items.map((row) => {
    const hold = holds?.get(row.withdrawal ?? '');
    return transactionAnswer(row, hold ? holdText(hold) : null);
  });
  return {
    items: [...shown.map(reportAnswer), ...moved],
    page: options.page,
    page_size: options.pageSize,
    total: total + reports.length,
  };
}
