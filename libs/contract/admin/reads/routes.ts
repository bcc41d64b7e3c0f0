import type { TSchema } from 'typebox';
import {
  UnmatchedPage,
  UnmatchedQuery,
  WithdrawalDetail,
  WithdrawalParams,
  WithdrawalsPage,
  WithdrawalsQuery,
} from './desk.ts';
import {
  Chain,
  ChainQuery,
  EventDetail,
  EventGraph,
  EventProof,
  PositionParams,
  ReplayedRound,
} from './event.ts';
import { ExplorerPage, ExplorerQuery, Facets, FindQuery, Matches } from './explorer.ts';
import {
  GamePerformance,
  IntervalQuery,
  LargeWins,
  LargeWinsQuery,
  Liabilities,
  Returns,
  Revenue,
  RevenueQuery,
  SignificantEvents,
  Solvency,
} from './house.ts';
import { type ReadName, readPaths } from './paths.ts';
import {
  PlayerDetail,
  PlayersPage,
  PlayersQuery,
  Statement,
  StatementQuery,
  WalletParams,
} from './players.ts';
import {
  AccountsAt,
  AccountsQuery,
  AtQuery,
  BalanceAt,
  BalanceQuery,
  MomentAnswer,
  StateAt,
  StateDiff,
  StateDiffQuery,
  StateQuery,
  TrialBalance,
  TrialDiff,
  TrialDiffQuery,
} from './travel.ts';
import { workRoutes } from './work-routes.ts';

/** One call in full. `data` is what stands in the envelope on success. */
interface ReadRoute {
  readonly method: 'GET' | 'POST';
  readonly path: `/${string}`;
  readonly role: 'viewer' | 'auditor' | 'operator';
  readonly summary: string;
  readonly tag: string;
  readonly params?: TSchema;
  readonly query?: TSchema;
  readonly body?: TSchema;
  readonly data: TSchema;
  /** The answer is a file, not an envelope. */
  readonly file?: true;
}

const events = {
  explorer: {
    ...readPaths.explorer,
    tag: 'explorer',
    summary: 'The book, newest first; with `after` what came since',
    query: ExplorerQuery,
    data: ExplorerPage,
  },
  facets: { ...readPaths.facets, tag: 'explorer', summary: 'What a filter may name', data: Facets },
  find: {
    ...readPaths.find,
    tag: 'explorer',
    summary: 'What an identifier names',
    query: FindQuery,
    data: Matches,
  },
  event: {
    ...readPaths.event,
    tag: 'explorer',
    summary: 'An event as it was sealed, its postings, and the state before and after',
    params: PositionParams,
    data: EventDetail,
  },
  eventProof: {
    ...readPaths.eventProof,
    tag: 'explorer',
    summary: 'Its place in the chain and under its seal, for the browser to check',
    params: PositionParams,
    data: EventProof,
  },
  eventGraph: {
    ...readPaths.eventGraph,
    tag: 'explorer',
    summary: 'Its causes and effects',
    params: PositionParams,
    data: EventGraph,
  },
  eventRound: {
    ...readPaths.eventRound,
    tag: 'explorer',
    summary: 'The round that it belongs to, drawn again',
    params: PositionParams,
    data: ReplayedRound,
  },
  chain: {
    ...readPaths.chain,
    tag: 'explorer',
    summary: 'Consecutive events with their hashes, to follow the chain',
    query: ChainQuery,
    data: Chain,
  },
} as const;

const travel = {
  moment: {
    ...readPaths.moment,
    tag: 'travel in time',
    summary: 'What moment that is, and how far one can go',
    query: AtQuery,
    data: MomentAnswer,
  },
  stateAt: {
    ...readPaths.stateAt,
    tag: 'travel in time',
    summary: 'The state of a stream as of then',
    query: StateQuery,
    data: StateAt,
  },
  stateDiff: {
    ...readPaths.stateDiff,
    tag: 'travel in time',
    summary: 'The difference of a stream between two moments',
    query: StateDiffQuery,
    data: StateDiff,
  },
  balanceAt: {
    ...readPaths.balanceAt,
    tag: 'travel in time',
    summary: 'What an account held then',
    query: BalanceQuery,
    data: BalanceAt,
  },
  trialBalance: {
    ...readPaths.trialBalance,
    tag: 'travel in time',
    summary: 'The whole trial balance as of then',
    query: AtQuery,
    data: TrialBalance,
  },
  trialDiff: {
    ...readPaths.trialDiff,
    tag: 'travel in time',
    summary: 'The difference of the trial balance between two moments',
    query: TrialDiffQuery,
    data: TrialDiff,
  },
  accounts: {
    ...readPaths.accounts,
    tag: 'travel in time',
    summary: 'Every account and what it held then',
    query: AccountsQuery,
    data: AccountsAt,
  },
} as const;

const people = {
  players: {
    ...readPaths.players,
    tag: 'players and cashier desk',
    summary: 'Players by the beginning of a wallet, public id or nickname',
    query: PlayersQuery,
    data: PlayersPage,
  },
  player: {
    ...readPaths.player,
    tag: 'players and cashier desk',
    summary: 'A player as of now',
    params: WalletParams,
    data: PlayerDetail,
  },
  statement: {
    ...readPaths.statement,
    tag: 'players and cashier desk',
    summary: 'What moved a balance of a player, with the balance after each',
    params: WalletParams,
    query: StatementQuery,
    data: Statement,
  },
  withdrawals: {
    ...readPaths.withdrawals,
    tag: 'players and cashier desk',
    summary: 'Withdrawals, with what to look at before they are approved',
    query: WithdrawalsQuery,
    data: WithdrawalsPage,
  },
  withdrawal: {
    ...readPaths.withdrawal,
    tag: 'players and cashier desk',
    summary: 'A withdrawal and all that became of it',
    params: WithdrawalParams,
    data: WithdrawalDetail,
  },
  unmatched: {
    ...readPaths.unmatched,
    tag: 'players and cashier desk',
    summary: 'Deposits that nobody could be given, and that nobody has resolved',
    query: UnmatchedQuery,
    data: UnmatchedPage,
  },
} as const;

const house = {
  solvency: {
    ...readPaths.solvency,
    tag: 'house',
    summary: 'What is there and what is owed',
    data: Solvency,
  },
  revenue: {
    ...readPaths.revenue,
    tag: 'house',
    summary: 'Gross gaming revenue by day and game',
    query: RevenueQuery,
    data: Revenue,
  },
  returns: {
    ...readPaths.returns,
    tag: 'house',
    summary: 'Actual return beside the theoretical one, in its exact band',
    query: IntervalQuery,
    data: Returns,
  },
  largeWins: {
    ...readPaths.largeWins,
    tag: 'house',
    summary: 'Large wins, newest first',
    query: LargeWinsQuery,
    data: LargeWins,
  },
  gamePerformance: {
    ...readPaths.gamePerformance,
    tag: 'house',
    summary: 'Report: game performance',
    query: IntervalQuery,
    data: GamePerformance,
  },
  liabilities: {
    ...readPaths.liabilities,
    tag: 'house',
    summary: 'Report: liabilities',
    query: IntervalQuery,
    data: Liabilities,
  },
  significantEvents: {
    ...readPaths.significantEvents,
    tag: 'house',
    summary: 'Report: significant events and alterations',
    query: IntervalQuery,
    data: SignificantEvents,
  },
} as const;

export const readRoutes = {
  ...events,
  ...travel,
  ...people,
  ...house,
  ...workRoutes,
} as const satisfies Record<ReadName, ReadRoute>;
