import { FILTERED_MAX } from '@reelbook/contract/common';
import { holdText } from '@reelbook/contract/english';
import type { DataOf } from '@reelbook/contract/player/routes';
import { readHolds } from '@reelbook/payments/holds';
import { type Report, readReports } from '@reelbook/payments/reports';
import {
  readCredited,
  readFilteredTransactions,
  readTransactions,
} from '@reelbook/projections/entries/history';
import { reportAnswer, transactionAnswer } from '../answers/wallet.ts';
import type { Gateway, Request } from '../context.ts';
import { answerable } from './answerable.ts';

type Reader = Pick<Gateway, 'pool'>;

/** A page of a player's list. */
export interface PageOf {
  readonly wallet: string;
  readonly page: number;
  readonly pageSize: number;
}

type Query = Omit<Request<'transactions'>['query'], 'page' | 'page_size'>;

export async function readTransactionPage(
  { pool }: Reader,
  options: PageOf & Query,
): Promise<DataOf<'transactions'>> {
  // Reported deposits that are not in the ledger yet come first.
  const reports = await readOpenReports(pool, options);
  const first = (options.page - 1) * options.pageSize;
  const shown = reports.slice(first, first + options.pageSize);
  const skip = Math.max(0, first - reports.length);
  const limit = options.pageSize - shown.length;
  const { items, total } = await readRecorded(pool, { ...options, skip, limit });
  const open = items.flatMap(({ withdrawal, status }) =>
    withdrawal && status !== 'returned' ? withdrawal : [],
  );
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

type Recorded = Query & { readonly wallet: string; readonly skip: number; readonly limit: number };

function readRecorded(pool: Gateway['pool'], options: Recorded) {
  const { wallet, skip, limit, status: state, type, game, from, to } = options;
  const isAll = [state, type, game, from, to].every((part) => part === undefined);
  if (isAll) return readTransactions(pool, { wallet, skip, limit });
  if (state === 'failed') return { items: [], total: 0 };
  const filter = { type, state, game, from, to };
  const page = { wallet, skip, limit, max: FILTERED_MAX };
  return answerable(readFilteredTransactions(pool, { ...page, ...filter }));
}

/** A scan may credit a deposit before its report is looked up: then it is in the ledger, and its report is not open. */
async function readOpenReports(pool: Gateway['pool'], options: Query & Pick<PageOf, 'wallet'>) {
  const { wallet } = options;
  const reports = (await readReports(pool, wallet)).filter((one) => matches(one, options));
  if (reports.length === 0) return reports;
  const signatures = reports.map(({ signature }) => signature);
  const credited = await readCredited(pool, { wallet, signatures });
  return reports.filter(({ signature }) => !credited.has(signature));
}

/** Whether a report of a deposit that is not in the ledger belongs to a filtered list. */
function matches({ status, reportedAt }: Report, { type, status: state, game, from, to }: Query) {
  const isOf = status === 'failed' ? 'failed' : 'open';
  const atMs = Date.parse(reportedAt);
  return (
    ['deposit', 'money'].includes(type ?? 'deposit') &&
    (state ?? isOf) === isOf &&
    game === undefined &&
    (from === undefined || atMs >= Date.parse(from)) &&
    (to === undefined || atMs < Date.parse(to))
  );
}
