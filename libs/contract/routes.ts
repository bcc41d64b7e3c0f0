import { type Static, type TSchema, Type } from 'typebox';
import { chainRoutes } from './chain-routes.ts';
import { fairnessRoutes } from './fairness-routes.ts';
import { gameRoutes } from './game-routes.ts';
import { type Path, paths, type RouteName } from './paths.ts';
import { paymentRoutes } from './payment-routes.ts';
import { CommandOutcome, KeyParams } from './schemas/commands.ts';
import { Balances, Empty, KeyHeaders, pageOf, pageQuery } from './schemas/common.ts';
import {
  ExchangeRates,
  HomeFigures,
  ProjectWallet,
  SystemConfig,
  TokenConfig,
  TokenContract,
} from './schemas/config.ts';
import { ExchangeBody, ExchangeResult } from './schemas/exchange.ts';
import { GameConfigs } from './schemas/game-config.ts';
import { NotificationPage, NotificationParams, Unread } from './schemas/notifications.ts';
import {
  ExclusionBody,
  LimitBody,
  LimitChangeBody,
  Protection,
  RealityCheckBody,
} from './schemas/protection.ts';
import { BetBody, BetResult, Paylines, Round, SlotStats, SlotSymbol } from './schemas/slot.ts';
import {
  Achievement,
  BoardParams,
  Leader,
  LoginBody,
  ProfileBody,
  RecentQuery,
  RecentWin,
  Session,
  Transaction,
  User,
} from './schemas/user.ts';

/** One call in full. `data` is what stands in the envelope on success. */
export interface Route extends Path {
  readonly summary: string;
  readonly tag:
    | 'session'
    | 'player'
    | 'protection'
    | 'wallet'
    | 'configuration'
    | 'slot machine'
    | 'games'
    | 'fairness'
    | 'public';
  readonly params?: TSchema;
  readonly query?: TSchema;
  readonly headers?: TSchema;
  readonly body?: TSchema;
  readonly data: TSchema;
}

export const routes = {
  login: {
    ...paths.login,
    summary: 'Log in with a signed message; each message works once',
    tag: 'session',
    body: LoginBody,
    data: Session,
  },
  logout: {
    ...paths.logout,
    summary: 'End this session; its sockets close',
    tag: 'session',
    data: Empty,
  },
  refresh: {
    ...paths.refresh,
    summary: 'A new token for another 24 hours; the old one ends shortly after',
    tag: 'session',
    data: Session,
  },
  profile: { ...paths.profile, summary: 'The player', tag: 'player', data: User },
  changeProfile: {
    ...paths.changeProfile,
    summary: 'Change the nickname',
    tag: 'player',
    body: ProfileBody,
    data: User,
  },
  balance: {
    ...paths.balance,
    summary: 'Balances as the book has them now',
    tag: 'player',
    data: Balances,
  },
  achievements: {
    ...paths.achievements,
    summary: 'What was earned, by which round, and how far the rest has come',
    tag: 'player',
    data: Type.Array(Achievement),
  },
  transactions: {
    ...paths.transactions,
    summary: 'What moved the balances, newest first',
    tag: 'player',
    query: pageQuery(20),
    data: pageOf(Transaction),
  },
  notifications: {
    ...paths.notifications,
    summary: 'What the player was notified of, newest first',
    tag: 'player',
    query: pageQuery(20),
    data: NotificationPage,
  },
  readNotification: {
    ...paths.readNotification,
    summary: 'Mark one notification as read',
    tag: 'player',
    params: NotificationParams,
    data: Unread,
  },
  readNotifications: {
    ...paths.readNotifications,
    summary: 'Mark all notifications as read',
    tag: 'player',
    data: Unread,
  },
  command: {
    ...paths.command,
    summary: 'What became of the command that was sent with an Idempotency-Key; executes nothing',
    tag: 'player',
    params: KeyParams,
    data: CommandOutcome,
  },
  discardCommand: {
    ...paths.discardCommand,
    summary:
      'Use up the key of a command without an answer: it is never executed, or its outcome is returned',
    tag: 'player',
    params: KeyParams,
    data: CommandOutcome,
  },
  protection: {
    ...paths.protection,
    summary: 'Limits, exclusion, reality check and the session as of now',
    tag: 'protection',
    data: Protection,
  },
  setLimit: {
    ...paths.setLimit,
    summary: 'Set or remove a limit: tighter at once, looser after 24 hours',
    tag: 'protection',
    body: LimitBody,
    data: Protection,
  },
  cancelLimitChange: {
    ...paths.cancelLimitChange,
    summary: 'Drop the change of a limit that waits',
    tag: 'protection',
    body: LimitChangeBody,
    data: Protection,
  },
  excludeSelf: {
    ...paths.excludeSelf,
    summary: 'Exclude yourself from play, at once; withdrawal stays open',
    tag: 'protection',
    body: ExclusionBody,
    data: Protection,
  },
  setRealityCheck: {
    ...paths.setRealityCheck,
    summary: 'Choose how often play stops to tell time and result',
    tag: 'protection',
    body: RealityCheckBody,
    data: Protection,
  },
  acknowledgeRealityCheck: {
    ...paths.acknowledgeRealityCheck,
    summary: 'Acknowledge the reality check that is due',
    tag: 'protection',
    data: Protection,
  },
  exchange: {
    ...paths.exchange,
    summary: 'Points for BSM or BSM for points, at the rates of the configuration',
    tag: 'wallet',
    headers: KeyHeaders,
    body: ExchangeBody,
    data: ExchangeResult,
  },
  systemConfig: {
    ...paths.systemConfig,
    summary: 'Withdrawal fee, bounds of deposits, and the chain',
    tag: 'configuration',
    data: SystemConfig,
  },
  tokenConfig: {
    ...paths.tokenConfig,
    summary: 'Decimals and mint of the token',
    tag: 'configuration',
    data: TokenConfig,
  },
  exchangeRates: {
    ...paths.exchangeRates,
    summary: 'Rates of exchange, in whole units',
    tag: 'configuration',
    data: ExchangeRates,
  },
  projectWallet: {
    ...paths.projectWallet,
    summary: 'The address that deposits go to',
    tag: 'configuration',
    data: ProjectWallet,
  },
  tokenContract: {
    ...paths.tokenContract,
    summary: 'The address of the mint',
    tag: 'configuration',
    data: TokenContract,
  },
  homeFigures: {
    ...paths.homeFigures,
    summary: 'The four figures of the home page',
    tag: 'configuration',
    data: HomeFigures,
  },
  leaderboard: {
    ...paths.leaderboard,
    summary: 'Points won in all (deposit), rounds won (wins), points held (points)',
    tag: 'public',
    params: BoardParams,
    data: Type.Array(Leader),
  },
  slotBet: {
    ...paths.slotBet,
    summary: 'Spin once',
    tag: 'slot machine',
    headers: KeyHeaders,
    body: BetBody,
    data: BetResult,
  },
  slotHistory: {
    ...paths.slotHistory,
    summary: "The player's rounds, newest first",
    tag: 'slot machine',
    query: pageQuery(10),
    data: pageOf(Round),
  },
  slotStats: {
    ...paths.slotStats,
    summary: "The player's figures",
    tag: 'slot machine',
    data: SlotStats,
  },
  slotSymbols: {
    ...paths.slotSymbols,
    summary: 'The four symbols',
    tag: 'slot machine',
    data: Type.Array(SlotSymbol),
  },
  slotPaylines: {
    ...paths.slotPaylines,
    summary: 'How many lines are played',
    tag: 'slot machine',
    data: Paylines,
  },
  gameConfigs: {
    ...paths.gameConfigs,
    summary: 'Limits, odds and return of every game',
    tag: 'public',
    data: GameConfigs,
  },
  recentWinnings: {
    ...paths.recentWinnings,
    summary: 'The latest big wins',
    tag: 'public',
    query: RecentQuery,
    data: Type.Array(RecentWin),
  },
  ...paymentRoutes,
  ...fairnessRoutes,
  ...chainRoutes,
  ...gameRoutes,
} as const satisfies Record<RouteName, Route>;

type Routes = typeof routes;
type Part<Name extends RouteName, Key extends string> = Routes[Name] extends {
  readonly [K in Key]: infer Schema extends TSchema;
}
  ? Static<Schema>
  : undefined;

export type DataOf<Name extends RouteName> = Static<Routes[Name]['data']>;
export type BodyOf<Name extends RouteName> = Part<Name, 'body'>;
export type QueryOf<Name extends RouteName> = Part<Name, 'query'>;
export type ParamsOf<Name extends RouteName> = Part<Name, 'params'>;
