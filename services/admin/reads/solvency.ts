import type { Solvency } from '@reelbook/contract/admin/finance';
import { readEarnedFees } from '@reelbook/inspection/explain-balance';
import { readEvents } from '@reelbook/inspection/read-events';
import { type Config, defaultConfig } from '@reelbook/ledger/config/config';
import type { AnyEvent } from '@reelbook/ledger/events';
import { exchangedMinor } from '@reelbook/ledger/rate';
import { overCapMinor } from '@reelbook/ledger/treasury/hot-wallet';
import { readSolvency } from '@reelbook/payments/solvency';
import { readTrialBalance } from '@reelbook/projections/entries/balances';
import type { ExplorerFilter } from '@reelbook/projections/entries/filter';
import type { Line } from '@reelbook/projections/entries/projection';
import { readExplorer } from '@reelbook/projections/entries/read';
import type pg from 'pg';
import { filterAnswer, readExplainedAt } from './accounts.ts';
import { points, token } from './convert.ts';

/** Coverage as of one position. The numbers of waiting withdrawals and deposits are of now. */
export async function readSolvencyAnswer(
  pool: pg.Pool,
  query: { readonly at?: string | number } = {},
): Promise<Solvency> {
  const { position } = await readExplainedAt(pool, query.at);
  const [{ lines }, earnedMinor, observed, changed, { queues, reached }] = await Promise.all([
    readTrialBalance(pool, { position }),
    readEarnedFees(pool, position),
    readLast(pool, { type: 'TreasuryObserved', position }),
    readLast(pool, { type: 'ConfigChanged', position }),
    readSolvency(pool),
  ]);
  const of = (line: Line, asset = 'token') =>
    lines.find((one) => one.line === line && one.asset === asset)?.balanceMinor ?? 0n;
  const terms = changed?.data.after ?? null;
  const onChainMinor = observed?.data.tokenMinor ?? 0n;
  const netMinor = observed?.data.netDepositsMinor ?? 0n;
  const margins = termsOf({ of, position, earnedMinor, onChainMinor, netMinor });
  const marginMinor = sumOf(margins.margin_terms);
  const pointsMinor = of('players', 'points');
  const held = of('players') + of('withdrawals') + of('unmatched');
  const cap = terms?.withdraw.hotWalletMaxTokenMinor ?? 0n;
  const over = overCapMinor(onChainMinor, { hotWalletMaxTokenMinor: cap });
  return {
    ...{ position, reached, solvent: marginMinor >= 0n, ...margins },
    points_value: pointsValue({
      pointsMinor,
      marginMinor,
      exchange: (terms ?? defaultConfig).exchange,
    }),
    players: token(of('players')),
    held: token(of('withdrawals')),
    unmatched: token(of('unmatched')),
    liabilities: token(held + of('fees') - earnedMinor),
    fees: token(earnedMinor),
    house: token(of('house')),
    chain: token(-of('chain')),
    on_chain: observed ? token(onChainMinor) : null,
    slot: observed?.data.slot ?? null,
    hot_wallet_max: cap === 0n ? null : token(cap),
    over_cap: over === null ? null : token(over),
    in_flight: token(netMinor + of('chain')),
    margin: token(marginMinor),
    points_held: points(pointsMinor),
    queues: {
      requested: queues.requested,
      approved: queues.approved,
      signed: queues.signed,
      on_hold: queues.onHold,
      oldest_withdrawal_s: queues.oldestWithdrawalS,
      pending_reports: queues.pendingReports,
      unmatched: queues.unmatched,
      unrecorded: queues.unrecorded,
    },
  };
}

type Terms = Solvency['margin_terms'];

const sumOf = (terms: Terms) =>
  terms.reduce((sum, { amount: { minor } }) => sum + BigInt(minor), 0n);

/**
 * The margin twice: assets less liabilities, and the house's own funds. They are equal because the token accounts of the
 * ledger sum to zero.
 */
function termsOf(options: {
  readonly of: (line: Line) => bigint;
  readonly position: number;
  readonly earnedMinor: bigint;
  readonly onChainMinor: bigint;
  readonly netMinor: bigint;
}): Pick<Solvency, 'margin_terms' | 'own_terms'> {
  const { of, position: toPosition, earnedMinor, onChainMinor, netMinor } = options;
  const term = (name: string, minor: bigint, filter: ExplorerFilter) => ({
    ...{ name, amount: token(minor), filter: filterAnswer({ ...filter, toPosition }) },
  });
  const observed: ExplorerFilter = { types: ['TreasuryObserved'] };
  return {
    margin_terms: [
      term('onChain', onChainMinor, observed),
      // On the chain and not in the ledger yet.
      term('inFlight', -(netMinor + of('chain')), observed),
      term('players', -of('players'), { asset: 'token' }),
      term('withdrawals', -of('withdrawals'), { account: 'withdrawals' }),
      term('openFees', earnedMinor - of('fees'), {
        types: ['WithdrawalRequested', 'WithdrawalReleased', 'WithdrawalFinalized'],
      }),
      term('unmatched', -of('unmatched'), { account: 'unmatched' }),
    ],
    own_terms: [
      term('ownOnChain', onChainMinor - netMinor, observed),
      term('house', of('house'), { account: 'house', asset: 'token' }),
      term('earnedFees', earnedMinor, { types: ['WithdrawalFinalized'] }),
    ],
  };
}

/** What all points of players would cost at the rate of that moment. Exchanges are refused once the margin is used up. */
function pointsValue(options: {
  readonly pointsMinor: bigint;
  readonly marginMinor: bigint;
  readonly exchange: Config['exchange'];
}): Solvency['points_value'] {
  const { pointsMinor, marginMinor, exchange } = options;
  const { pointsToToken: rate } = exchange;
  const assets = { fromAsset: 'points', toAsset: 'token' } as const;
  const valueMinor = exchangedMinor({ ...assets, amountMinor: pointsMinor, rate });
  const { numerator, denominator } = rate;
  return {
    ...{ amount: token(valueMinor), numerator, denominator },
    margin_after: token(marginMinor - valueMinor),
  };
}

/** The last event of a type up to a position; null: there is none. */
async function readLast<Type extends AnyEvent['type']>(
  pool: pg.Pool,
  { type, position }: { readonly type: Type; readonly position: number },
): Promise<Extract<AnyEvent, { type: Type }> | null> {
  const filter = { types: [type], toPosition: Math.max(1, position) };
  const { entries } = await readExplorer(pool, { filter, limit: 1 });
  const [recorded] = await readEvents(
    pool,
    entries.map((one) => one.position),
  );
  return (recorded?.event ?? null) as Extract<AnyEvent, { type: Type }> | null;
}
