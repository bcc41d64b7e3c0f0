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
  readonly path: string;
  readonly role: 'viewer' | 'auditor' | 'operator';
  readonly summary: string;
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
    summary: 'The book, newest first; with `after` what came since',
    query: ExplorerQuery,
    data: ExplorerPage,
  },
  facets: { ...readPaths.facets, summary: 'What a filter may name', data: Facets },
  find: { ...readPaths.find, summary: 'What an identifier names', query: FindQuery, data: Matches },
  event: {
    ...readPaths.event,
    summary: 'An event as it was sealed, its postings, and the state before and after',
    params: PositionParams,
    data: EventDetail,
  },
  eventProof: {
    ...readPaths.eventProof,
    summary: 'Its place in the chain and under its seal, for the browser to check',
    params: PositionParams,
    data: EventProof,
  },
  eventGraph: {
    ...readPaths.eventGraph,
    summary: 'Its causes and effects',
    params: PositionParams,
    data: EventGraph,
  },
  eventRound: {
    ...readPaths.eventRound,
    summary: 'The round that it belongs to, drawn again',
    params: PositionParams,
    data: ReplayedRound,
  },
  chain: {
    ...readPaths.chain,
    summary: 'Consecutive events with their hashes, to follow the chain',
    query: ChainQuery,
    data: Chain,
  },
} as const;

const travel = {
  moment: {
    ...readPaths.moment,
    summary: 'What moment that is, and how far one can go',
    query: AtQuery,
    data: MomentAnswer,
  },
  stateAt: {
    ...readPaths.stateAt,
    summary: 'The state of a stream as of then',
    query: StateQuery,
    data: StateAt,
  },
  stateDiff: {
    ...readPaths.stateDiff,
    summary: 'The difference of a stream between two moments',
    query: StateDiffQuery,
    data: StateDiff,
  },
  balanceAt: {
    ...readPaths.balanceAt,
    summary: 'What an account held then',
    query: BalanceQuery,
    data: BalanceAt,
  },
  trialBalance: {
    ...readPaths.trialBalance,
    summary: 'The whole trial balance as of then',
    query: AtQuery,
    data: TrialBalance,
  },
  trialDiff: {
    ...readPaths.trialDiff,
    summary: 'The difference of the trial balance between two moments',
    query: TrialDiffQuery,
    data: TrialDiff,
  },
  accounts: {
    ...readPaths.accounts,
    summary: 'Every account and what it held then',
    query: AccountsQuery,
    data: AccountsAt,
  },
} as const;

const people = {
  players: {
    ...readPaths.players,
    summary: 'Players by the beginning of a wallet, public id or nickname',
    query: PlayersQuery,
    data: PlayersPage,
  },
  player: {
    ...readPaths.player,
    summary: 'A player as of now',
    params: WalletParams,
    data: PlayerDetail,
  },
  statement: {
    ...readPaths.statement,
    summary: 'What moved a balance of a player, with the balance after each',
    params: WalletParams,
    query: StatementQuery,
    data: Statement,
  },
  withdrawals: {
    ...readPaths.withdrawals,
    summary: 'Withdrawals, with what to look at before they are approved',
    query: WithdrawalsQuery,
    data: WithdrawalsPage,
  },
  withdrawal: {
    ...readPaths.withdrawal,
    summary: 'A withdrawal and all that became of it',
    params: WithdrawalParams,
    data: WithdrawalDetail,
  },
  unmatched: {
    ...readPaths.unmatched,
    summary: 'Deposits that nobody could be given, and that nobody has resolved',
    query: UnmatchedQuery,
    data: UnmatchedPage,
  },
} as const;

const house = {
  solvency: { ...readPaths.solvency, summary: 'What is there and what is owed', data: Solvency },
  revenue: {
    ...readPaths.revenue,
    summary: 'Gross gaming revenue by day and game',
    query: RevenueQuery,
    data: Revenue,
  },
  returns: {
    ...readPaths.returns,
    summary: 'Actual return beside the theoretical one, in its exact band',
    query: IntervalQuery,
    data: Returns,
  },
  largeWins: {
    ...readPaths.largeWins,
    summary: 'Large wins, newest first',
    query: LargeWinsQuery,
    data: LargeWins,
  },
  gamePerformance: {
    ...readPaths.gamePerformance,
    summary: 'Report: game performance',
    query: IntervalQuery,
    data: GamePerformance,
  },
  liabilities: {
    ...readPaths.liabilities,
    summary: 'Report: liabilities',
    query: IntervalQuery,
    data: Liabilities,
  },
  significantEvents: {
    ...readPaths.significantEvents,
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
