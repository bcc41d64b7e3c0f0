import { isOfOneProvider } from '@reelbook/audit/chain/reconcile';
import type { Amount } from '@reelbook/contract/admin/common';
import { DAYS_MAX } from '@reelbook/contract/admin/finance';
import { findEvents } from '@reelbook/inspection/event';
import { readEarnedFees } from '@reelbook/inspection/explain-balance';
import { openHouseDays, type Results } from '@reelbook/inspection/house-days';
import { DAY_MS } from '@reelbook/ledger/calendar';
import { type Config, defaultConfig } from '@reelbook/ledger/config/config';
import type { AnyEvent } from '@reelbook/ledger/events';
import { type Asset, exchangedMinor } from '@reelbook/ledger/money';
import { overCapMinor } from '@reelbook/ledger/treasury/in-flight';
import { readSolvency } from '@reelbook/payments/solvency';
import { readTrialBalance } from '@reelbook/projections/entries/balances';
import { type ExplorerFilter, Unanswerable } from '@reelbook/projections/entries/filter';
import type { Line } from '@reelbook/projections/entries/projection';
import { countActive, readExplorer } from '@reelbook/projections/entries/read';
import { gameDays, readStakes } from '@reelbook/projections/game-days/projection';
import { readReached } from '@reelbook/projections/projection';
import type pg from 'pg';
import type { Admin, AdminHandlers, AdminRequest } from '../context.ts';
import { amount, filterAnswer, playerRef, points, sumsOf, textOf, token } from './convert.ts';
import { readPending } from './deposits.ts';
import { filterOf } from './explorer.ts';
import { readExplainedAt } from './point-in-time.ts';
import { CONFIDENCE, returnsOf } from './returns.ts';

const DAYS_BY_DEFAULT = 30;
const FIRST_DAY = '1970-01-01';

/** Days in UTC, YYYY-MM-DD, both inclusive. */
interface Interval {
  readonly from: string;
  readonly to: string;
}

/**
 * Validates an interval. Default end: today; default start: 30 days. Throws `Unanswerable`.
 */
export function intervalOf(
  options: { readonly from?: string | undefined; readonly to?: string | undefined },
  nowMs: number,
): Interval {
  const to = options.to === undefined ? dayOf(nowMs) : checkDay('to', options.to);
  const from =
    options.from === undefined
      ? dayOf(Date.parse(to) - (DAYS_BY_DEFAULT - 1) * DAY_MS)
      : checkDay('from', options.from);
  if (from > to) throw new Unanswerable('from must not be after to');
  if ((Date.parse(to) - Date.parse(from)) / DAY_MS >= DAYS_MAX) {
    throw new Unanswerable(`an interval has at most ${DAYS_MAX} days`);
  }
  return { from, to };
}

/** End of the interval, exclusive, ISO 8601. */
function endOf({ to }: Interval): string {
  return new Date(Date.parse(to) + DAY_MS).toISOString();
}

function checkDay(name: string, day: string): string {
  const ms = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(day) : Number.NaN;
  // Date.parse accepts February 30 as a day of March.
  if (Number.isNaN(ms) || dayOf(ms) !== day || day < FIRST_DAY) {
    throw new Unanswerable(`${name} must be a day, such as 2026-11-21`);
  }
  return day;
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** Coverage as of one position. The numbers of waiting withdrawals and deposits are of now. */
export async function readSolvencyAnswer(
  pool: pg.Pool,
  query: { readonly at?: string | number } = {},
) {
  const { position } = await readExplainedAt(pool, query.at);
  const [{ lines }, earnedMinor, observed, changed, { queues }, pending] = await Promise.all([
    readTrialBalance(pool, { position }),
    readEarnedFees(pool, position),
    readLast(pool, { type: 'TreasuryObserved', position }),
    readLast(pool, { type: 'ConfigChanged', position }),
    readSolvency(pool),
    readPending(pool),
  ]);
  const of = (line: Line, asset = 'token') =>
    lines.find((one) => one.line === line && one.asset === asset)?.balanceMinor ?? 0n;
  const terms = changed?.data.after ?? null;
  const onChainMinor = observed?.data.tokenMinor ?? 0n;
  const netMinor = observed?.data.netDepositsMinor ?? 0n;
  const margins = termsOf({ of, position, earnedMinor, onChainMinor, netMinor });
  const marginMinor = sumOf(margins.margin_terms);
  const pointsMinor = of('players', 'points');
  const cap = terms?.withdraw.hotWalletMaxTokenMinor ?? 0n;
  const over = overCapMinor(onChainMinor, { hotWalletMaxTokenMinor: cap });
  return {
    position,
    lines: lines.map(({ line, asset, balanceMinor }) => ({
      line,
      balance: amount(asset, balanceMinor),
    })),
    // By asset; anything but zero is a fault.
    sums: sumsOf(lines.map(({ asset, balanceMinor: deltaMinor }) => ({ asset, deltaMinor }))),
    solvent: marginMinor >= 0n,
    ...margins,
    points_value: pointsValue({
      pointsMinor,
      marginMinor,
      exchange: (terms ?? defaultConfig).exchange,
    }),
    hot_wallet_max: cap === 0n ? null : token(cap),
    over_cap: over === null ? null : token(over),
    margin: token(marginMinor),
    points_held: points(pointsMinor),
    queues: {
      requested: queues.requested,
      approved: queues.approved,
      signed: queues.signed,
      on_hold: queues.onHold,
      oldest_withdrawal_s: queues.oldestWithdrawalS,
      unmatched: queues.unmatched,
      ...pending,
    },
  };
}

const sumOf = (terms: ReturnType<typeof termsOf>['margin_terms']) =>
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
}) {
  const { of, position: toPosition, earnedMinor, onChainMinor, netMinor } = options;
  const term = (name: string, minor: bigint, filter: ExplorerFilter) => ({
    name,
    amount: token(minor),
    filter: filterAnswer({ ...filter, toPosition }),
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
}) {
  const { pointsMinor, marginMinor, exchange } = options;
  const { pointsToToken: rate } = exchange;
  const assets = { fromAsset: 'points', toAsset: 'token' } as const;
  const valueMinor = exchangedMinor({ ...assets, amountMinor: pointsMinor, rate });
  const { numerator, denominator } = rate;
  return {
    amount: token(valueMinor),
    numerator,
    denominator,
    margin_after: token(marginMinor - valueMinor),
  };
}

/** The last event of a type up to a position; null: there is none. */
async function readLast<Type extends AnyEvent['type']>(
  pool: pg.Pool,
  { type, position }: { readonly type: Type; readonly position: number },
): Promise<Extract<AnyEvent, { type: Type }> | null> {
  const filter = { types: [type], toPosition: Math.max(1, position) };
  const [recorded] = await findEvents(pool, filter, 1);
  return (recorded?.event ?? null) as Extract<AnyEvent, { type: Type }> | null;
}

const WINS_BY_DEFAULT = 50;
/** A large win, in minor units of points. */
const LARGE_WIN_MINOR = 100_000n;
/** A player who acted this recently counts as online. */
const ONLINE_MS = 300_000;

export function financeReads(admin: Admin) {
  const { pool, games, clock, settings, work } = admin;
  const readHouseDays = openHouseDays(pool);
  return {
    solvency: async ({ query }) => ({
      data: {
        ...(await readSolvencyAnswer(pool, query)),
        // A local chain is the site's own.
        single_provider: !settings.localChain && isOfOneProvider(work.chain),
      },
    }),
    revenue: async ({ query }) => {
      const interval = await readInterval(clock, query);
      const { position, days, total } = await readHouseDays(interval);
      const rows = days.map(({ day, ...results }) => ({ day, ...resultsAnswer(results) }));
      return { data: { ...interval, position, rows, total: resultsAnswer(total) } };
    },
    today: async () => {
      const nowMs = await clock.nowMs();
      const day = dayOf(nowMs);
      const [{ position, total }, online] = await Promise.all([
        readHouseDays({ from: day, to: day }),
        countActive(pool, new Date(nowMs - ONLINE_MS).toISOString()),
      ]);
      return { data: { day, position, ...resultsAnswer(total), online } };
    },
    returns: async ({ query }) => {
      const interval = await readInterval(clock, query);
      const rows = returnsOf(await readStakes(pool, interval), games);
      const reached = await readReached(pool, gameDays);
      return { data: { ...interval, reached, confidence: CONFIDENCE, rows } };
    },
    largeWins: async ({ query }) => ({ data: await readWins(admin, query) }),
  } satisfies Partial<AdminHandlers>;
}

async function readInterval(
  clock: Admin['clock'],
  query: { readonly from?: string | number; readonly to?: string | number },
) {
  return intervalOf({ from: textOf(query.from), to: textOf(query.to) }, await clock.nowMs());
}

const resultsAnswer = ({ points, token }: Results) => ({
  points: resultAnswer('points', points),
  token: resultAnswer('token', token),
});

const resultAnswer = (asset: Asset, result: Results[Asset]) =>
  Object.fromEntries(
    Object.entries(result).map(([name, minor]) => [name, amount(asset, minor)]),
  ) as Readonly<Record<keyof Results[Asset], Amount>>;

async function readWins({ pool, clock }: Admin, query: AdminRequest<'largeWins'>['query']) {
  const { before, limit = WINS_BY_DEFAULT } = query;
  const isBounded = query.from !== undefined || query.to !== undefined;
  const interval = isBounded ? await readInterval(clock, query) : null;
  const filter = filterOf({
    types: 'BetWon',
    asset: 'points',
    min_minor: query.min_minor ?? LARGE_WIN_MINOR.toString(),
    ...(interval ? { from: interval.from, to: endOf(interval) } : {}),
  });
  const { entries, next } = await readExplorer(pool, { filter, before, limit });
  return {
    wins: entries.flatMap(({ position, time, player, game, round, pointsMinor }) =>
      player && game && round
        ? [
            {
              position,
              time,
              game,
              round,
              player: playerRef(player),
              payout: points(pointsMinor ?? 0n),
            },
          ]
        : [],
    ),
    next,
  };
}
