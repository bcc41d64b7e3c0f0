import { closed } from '../common.ts';
import { adminTopic } from '../route.ts';
import { At, Cursor, Limit, QueryText } from './common.ts';

/** Maximum days of an interval. */
export const DAYS_MAX = 400;

const interval = {
  from: QueryText(`First day, YYYY-MM-DD in UTC; an interval has at most ${DAYS_MAX} days`),
  to: QueryText('Last day, YYYY-MM-DD in UTC, inclusive; default: today'),
};

const call = adminTopic('finance');

export const financeRoutes = {
  solvency: call('GET', '/house/solvency', 'viewer', {
    summary: 'Get assets, liabilities and the margin, in BSM, and the trial balance',
    query: closed({ at: At }),
  }),
  revenue: call('GET', '/house/revenue', 'viewer', {
    summary: "Get turnover, revenue and net result by day, from the house's accounts",
    query: closed(interval),
  }),
  today: call('GET', '/house/today', 'viewer', {
    summary: 'Get the result of the day, and the players who are online',
  }),
  returns: call('GET', '/house/returns', 'viewer', {
    summary: 'Get the actual and theoretical return of each game, with its 99.9 % band',
    query: closed(interval),
  }),
  largeWins: call('GET', '/house/large-wins', 'viewer', {
    summary: 'List large wins, newest first',
    query: closed({
      ...interval,
      min_minor: QueryText('Minimum payout in hundredths of points; default 100000'),
      before: Cursor('`next` of the previous page'),
      limit: Limit(50),
    }),
  }),
};
