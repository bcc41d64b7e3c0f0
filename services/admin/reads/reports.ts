import { balanceLines } from '@reelbook/contract/english';
import { readHead } from '@reelbook/event-store/read-log';
import { readPointInTime } from '@reelbook/inspection/point-in-time';
import { returnsOf } from '@reelbook/inspection/returns';
import { readConfig } from '@reelbook/payments/review';
import { readTrialBalance } from '@reelbook/projections/entries/trial-balance';
import { readStakes, readStanding } from '@reelbook/projections/game-days/read';
import type { Admin, AdminHandlers, Caller } from '../context.ts';
import { amount, points } from './convert.ts';
import { readInterval, returnRow } from './finance.ts';
import { endOf, type Interval } from './interval.ts';
import { readSignificant } from './significant.ts';
import { readSolvencyAnswer } from './solvency.ts';

export function reportReads(admin: Admin) {
  const { pool, games, clock } = admin;
  return {
    gamePerformance: async ({ query, ...caller }) => {
      const interval = await readInterval(clock, query);
      const [stakes, totals, { config }] = await Promise.all([
        readStakes(pool, interval),
        readStanding(pool),
        readConfig(pool),
      ]);
      const rows = returnsOf(stakes, games).map((one) => {
        const own = totals.find(({ game, rules }) => game === one.game && rules === one.rules);
        const set = config.games[one.game];
        const current = set?.rules === one.rules;
        return {
          ...returnRow(one),
          status: current ? (set.enabled ? 'enabled' : 'disabled') : 'retired',
          since: own?.since ?? null,
          open_rounds: own?.openRounds ?? 0,
          open_stakes: points(own?.openStakesMinor ?? 0n),
        };
      });
      const empty = rows.every(({ rounds, voided }) => rounds === 0 && voided === 0);
      return {
        data: { ...(await headerOf(admin, caller, interval, 'Game performance', empty)), rows },
      };
    },
    liabilities: async ({ query, ...caller }) => {
      const interval = await readInterval(clock, query);
      const { rows, solvency } = await readLiabilities(admin, interval);
      const empty = rows.every(
        ({ opening, closing }) => opening.minor === '0' && closing.minor === '0',
      );
      const header = await headerOf(admin, caller, interval, 'Liabilities', empty);
      const { on_chain, margin } = solvency;
      return { data: { ...header, rows, on_chain, margin } };
    },
    significantEvents: async ({ query, ...caller }) => {
      const interval = await readInterval(clock, query);
      const span = { from: interval.from, to: endOf(interval) };
      const { rows, truncated } = await readSignificant(pool, span);
      const title = 'Significant events and alterations';
      const header = await headerOf(admin, caller, interval, title, rows.length === 0);
      return { data: { ...header, rows, truncated } };
    },
  } satisfies Partial<AdminHandlers>;
}

async function headerOf(
  { pool, clock }: Admin,
  { operator }: Pick<Caller, 'operator'>,
  { from, to }: Interval,
  title: string,
  empty: boolean,
) {
  const [head, nowMs] = await Promise.all([readHead(pool), clock.nowMs()]);
  return {
    ...{ title, from, to, operator },
    generated_at: new Date(nowMs).toISOString(),
    position: head.position,
    head_hash: head.hash,
    no_activity: empty,
  };
}

async function readLiabilities({ pool }: Admin, interval: Interval) {
  const lastBefore = async (time: string) =>
    readPointInTime(pool, new Date(Date.parse(time) - 1).toISOString());
  const [opens, closes] = await Promise.all([
    lastBefore(interval.from),
    lastBefore(endOf(interval)),
  ]);
  const [before, after, solvency] = await Promise.all([
    readTrialBalance(pool, { position: opens.position }),
    readTrialBalance(pool, { position: closes.position }),
    readSolvencyAnswer(pool),
  ]);
  const rows = after.lines.map(({ line, asset, balanceMinor }) => {
    const was = before.lines.find((one) => one.line === line && one.asset === asset);
    const openingMinor = was?.balanceMinor ?? 0n;
    return {
      line,
      what: balanceLines[line],
      opening: amount(asset, openingMinor),
      closing: amount(asset, balanceMinor),
      change: amount(asset, balanceMinor - openingMinor),
    };
  });
  return { rows, solvency };
}
