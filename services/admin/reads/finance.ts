import { isOfOneProvider } from '@reelbook/audit/chain/reconcile';
import type { ReturnRow, Revenue } from '@reelbook/contract/admin/finance';
import { CONFIDENCE, type GameReturn, returnsOf } from '@reelbook/inspection/returns';
import { readExplorer } from '@reelbook/projections/entries/read';
import {
  type DayFigures,
  gameDays,
  readDays,
  readStakes,
} from '@reelbook/projections/game-days/projection';
import { readReached } from '@reelbook/projections/projection';
import type { Admin, AdminHandlers, AdminRequest } from '../context.ts';
import { playerRef, points, textOf } from './convert.ts';
import { filterOf } from './filter-of.ts';
import { endOf, intervalOf } from './interval.ts';
import { readSolvencyAnswer } from './solvency.ts';

const WINS_BY_DEFAULT = 50;
/** A large win, in minor units of points. */
const LARGE_WIN_MINOR = 100_000n;

export function financeReads(admin: Admin) {
  const { pool, games, clock, settings, work } = admin;
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
      const rows = await readDays(pool, { ...interval, game: textOf(query.game) });
      return {
        data: { ...interval, reached: await readReached(pool, gameDays), ...revenueOf(rows) },
      };
    },
    returns: async ({ query }) => {
      const interval = await readInterval(clock, query);
      const rows = returnsOf(await readStakes(pool, interval), games).map(returnRow);
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

function revenueOf(days: readonly DayFigures[]): Pick<Revenue, 'rows' | 'total'> {
  const total = { rounds: 0, stakedMinor: 0n, paidMinor: 0n, voided: 0 };
  for (const one of days) {
    total.rounds += one.rounds;
    total.stakedMinor += one.stakedMinor;
    total.paidMinor += one.paidMinor;
    total.voided += one.voided;
  }
  return {
    rows: days.map((one) => ({ day: one.day, game: one.game, ...countsOf(one) })),
    total: countsOf(total),
  };
}

function countsOf(options: Pick<DayFigures, 'rounds' | 'stakedMinor' | 'paidMinor' | 'voided'>) {
  const { rounds, stakedMinor, paidMinor, voided } = options;
  return {
    ...{ rounds, staked: points(stakedMinor), paid: points(paidMinor), voided },
    ggr: points(stakedMinor - paidMinor),
  };
}

function returnRow(one: GameReturn): ReturnRow {
  const { game, title, rules, published } = one;
  return {
    ...{ game, title, rules },
    ...countsOf(one),
    actual: one.actual,
    theoretical: one.theoretical,
    published: {
      numerator: String(published?.numerator ?? 0n),
      denominator: String(published?.denominator ?? 1n),
    },
    low: one.low,
    high: one.high,
    sigmas: one.sigmas,
    inside: one.inside,
  };
}

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
              ...{ position, time, game, round },
              player: playerRef(player),
              payout: points(pointsMinor ?? 0n),
            },
          ]
        : [],
    ),
    next,
  };
}
