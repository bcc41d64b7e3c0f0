import {
  ACTION_ALONE,
  type EventOf,
  ofPlayer,
  type PlayerDescriptorsOf,
  points,
  term,
} from '../descriptor.ts';
import { type Asset, move, type Rate } from '../money.ts';
import type { Agreed } from '../proposals.ts';
import type { Balances } from './balances.ts';
import type { Budgeted } from './budget.ts';
import type { Notice, NotificationsRead } from './notices.ts';
import { PAYMENT_EVENTS, type PaymentEvent } from './payment-events.ts';
import { PROTECTION_EVENTS, type ProtectionEvent } from './protection-events.ts';
import { STANDING_EVENTS, type StandingEvent } from './standing.ts';

/** The data of each type of event in the stream of a player. */
export interface PlayerData {
  /** `publicId` is opaque; other players see it instead of the wallet. */
  readonly PlayerRegistered: { readonly wallet: string; readonly publicId: string };
  /** The player gave up a command without a response: its idempotency key is used, so it can no longer be executed. */
  readonly CommandDiscarded: Budgeted & { readonly idempotencyKey: string };
  /** A command that came after its round was settled and changed nothing: that round's result is the response to its key. */
  readonly IdempotencyKeyRecorded: Budgeted & {
    readonly idempotencyKey: string;
    readonly round: string;
  };
  /** House to player, on the local chain only. */
  readonly WelcomeGranted: {
    readonly pointsMinor: bigint;
    readonly after: Balances;
    readonly notice?: Notice;
  };
  /** A keyed hash of the secret in the session's tokens: identifies the session, but cannot be used or linked outside. */
  readonly SessionStarted: Budgeted & { readonly session: string; readonly signIn?: SignInKind };
  /** Of earlier builds: which sign-ins the player accepted. */
  readonly SignInPolicySet: Budgeted & { readonly walletCheckedOnly: boolean };
  readonly NicknameChanged: Budgeted & { readonly nickname: string };
  /** Commits to the hash of the server seed in use and of the next one. `pair` counts from 1. */
  readonly SeedsCommitted: {
    readonly pair: number;
    readonly activeHash: string;
    readonly nextHash: string;
  };
  /** The client seed of the pair to which the event before it in the stream commits. `by` is who chose it. */
  readonly ClientSeedChanged: Budgeted & {
    readonly pair: number;
    readonly clientSeed: string;
    readonly by: 'player' | 'site';
  };
  /** Ends a pair: the revealed seed, and the number of nonces (0 .. nonces-1) that it was used for. */
  readonly SeedRevealed: {
    readonly pair: number;
    readonly serverSeedHash: string;
    readonly serverSeed: string;
    readonly clientSeed: string;
    readonly nonces: number;
    readonly notice?: Notice;
  };
  /**
   * Player to house. `pair` and `nonce` determine the outcome: SeedsCommitted and ClientSeedChanged of that pair come before
   * it in the stream. `round` is `<publicId>-<n>`, n from 1 without gaps. It settles in the same command, unless it is `timed`.
   */
  readonly BetPlaced: {
    readonly round: string;
    readonly game: string;
    readonly stakeMinor: bigint;
    readonly lines: number;
    /** Only of a game with a choice, on which the payout depends. */
    readonly choice?: Choice;
    readonly rules: string;
    readonly pair: number;
    readonly nonce: number;
    /** The time of the decision; only of a player whose time is recorded. See protection-state.ts. */
    readonly atMs?: number;
    readonly after: Balances;
    /** Of a timed round: it stays open until its ticks are over. */
    readonly timed?: { readonly ticks: number; readonly tickMs: number };
  };
  /** House to player. `outcome` is the game's record of the draw. */
  readonly BetWon: {
    readonly round: string;
    readonly game: string;
    readonly outcome: Outcome;
    readonly stakeMinor: bigint;
    readonly payoutMinor: bigint;
    /** Of a round that a later command settles; as in BetPlaced. */
    readonly atMs?: number;
    readonly after: Balances;
    /** Only of a big win. */
    readonly notice?: Notice;
  };
  readonly BetLost: {
    readonly round: string;
    readonly game: string;
    readonly outcome: Outcome;
    readonly stakeMinor: bigint;
    readonly after: Balances;
  };
  /**
   * House to player: an operator returns the stake of an open round. The audit and the receipt draw what it would have paid
   * from its seed. `by`, `proposal` and `day` are as in BalanceAdjusted.
   */
  readonly BetVoided: {
    readonly round: string;
    readonly game: string;
    readonly stakeMinor: bigint;
    readonly reason: string;
    readonly by: string;
    readonly proposal?: Agreed;
    readonly day: number;
    /** As in BetWon. */
    readonly atMs?: number;
    readonly after: Balances;
    readonly notice: Notice;
  };
  /** Player to house in one asset, house to player in the other, at a rate per unit. */
  readonly Exchanged: Budgeted & {
    readonly fromAsset: Asset;
    readonly toAsset: Asset;
    readonly fromMinor: bigint;
    readonly toMinor: bigint;
    readonly rate: Rate;
    /** Only of points bought; as in BetPlaced. */
    readonly atMs?: number;
    readonly after: Balances;
    readonly notice: Notice;
  };
}

export type PlayerEvent =
  | EventOf<PlayerData>
  | NotificationsRead
  | PaymentEvent
  | ProtectionEvent
  | StandingEvent;
export type PlayerRegistered = EventOf<PlayerData, 'PlayerRegistered'>;
export type IdempotencyKeyRecorded = EventOf<PlayerData, 'IdempotencyKeyRecorded'>;
export type SeedRevealed = EventOf<PlayerData, 'SeedRevealed'>;
export type BetPlaced = EventOf<PlayerData, 'BetPlaced'>;
export type BetWon = EventOf<PlayerData, 'BetWon'>;
export type BetLost = EventOf<PlayerData, 'BetLost'>;
export type BetVoided = EventOf<PlayerData, 'BetVoided'>;
export type Exchanged = EventOf<PlayerData, 'Exchanged'>;

/** A plain sentence, or Sign-In With Solana, which the wallet checks against the page. */
export type SignInKind = 'sentence' | 'siws';

/** JSON that only its game writes and reads. */
export type Outcome = Readonly<Record<string, unknown>>;

/** A player's choice with a bet, in the schema of the game. */
export type Choice = Readonly<Record<string, number | string>>;

/** The descriptors of the types in players' streams. */
export const PLAYER_EVENTS: PlayerDescriptorsOf<PlayerEvent> = {
  PlayerRegistered: ofPlayer(6, ['registered as {publicId}', ({ publicId }) => ({ publicId })]),
  WelcomeGranted: ofPlayer(
    7,
    ['welcome: {amount}', ({ pointsMinor }) => ({ amount: points(pointsMinor) })],
    ({ pointsMinor }, owner) => move('points', 'house', `player:${owner}`, pointsMinor),
  ),
  SessionStarted: ofPlayer(8, ['logged in', () => ({})]),
  SignInPolicySet: ofPlayer(5, [
    'accepted sign-ins: {which}',
    ({ walletCheckedOnly }) => ({ which: term(walletCheckedOnly ? 'walletChecked' : 'all') }),
  ]),
  CommandDiscarded: ofPlayer(15, [
    'discarded the command with key {key}',
    ({ idempotencyKey }) => ({ key: idempotencyKey }),
  ]),
  IdempotencyKeyRecorded: ofPlayer(24, [
    'kept the key {key}: round {round} was settled already',
    ({ idempotencyKey, round }) => ({ key: idempotencyKey, round }),
  ]),
  NicknameChanged: ofPlayer(9, ['nickname {nickname}', ({ nickname }) => ({ nickname })]),
  SeedsCommitted: ofPlayer(10, ['seeds of pair {pair} committed', ({ pair }) => ({ pair })]),
  ClientSeedChanged: ofPlayer(11, ['client seed of pair {pair}', ({ pair }) => ({ pair })]),
  SeedRevealed: ofPlayer(12, ['seed of pair {pair} revealed', ({ pair }) => ({ pair })]),
  BetPlaced: ofPlayer(
    1,
    ['{stake} on {game}', ({ stakeMinor, game }) => ({ stake: points(stakeMinor), game })],
    ({ stakeMinor }, owner) => move('points', `player:${owner}`, 'house', stakeMinor),
  ),
  BetWon: ofPlayer(
    2,
    ['won {payout} at {game}', ({ payoutMinor, game }) => ({ payout: points(payoutMinor), game })],
    ({ payoutMinor }, owner) => move('points', 'house', `player:${owner}`, payoutMinor),
  ),
  BetLost: ofPlayer(3, [
    'lost {stake} at {game}',
    ({ stakeMinor, game }) => ({ stake: points(stakeMinor), game }),
  ]),
  BetVoided: {
    number: 4,
    visibleToPlayer: true,
    operator: ACTION_ALONE,
    postings: ({ stakeMinor }, owner) => move('points', 'house', `player:${owner}`, stakeMinor),
    sentence: [
      'voided, {stake} returned: {reason}',
      ({ stakeMinor, reason }) => ({ stake: points(stakeMinor), reason }),
    ],
  },
  Exchanged: ofPlayer(
    13,
    [
      '{gave} for {got}',
      ({ fromAsset, fromMinor, toAsset, toMinor }) => ({
        gave: { asset: fromAsset, minor: fromMinor },
        got: { asset: toAsset, minor: toMinor },
      }),
    ],
    ({ fromAsset, fromMinor, toAsset, toMinor }, owner) => [
      ...move(fromAsset, `player:${owner}`, 'house', fromMinor),
      ...move(toAsset, 'house', `player:${owner}`, toMinor),
    ],
  ),
  NotificationsRead: ofPlayer(14, [
    'notifications {from} to {to} read',
    ({ from, to }) => ({ from, to }),
  ]),
  ...PAYMENT_EVENTS,
  ...PROTECTION_EVENTS,
  ...STANDING_EVENTS,
};
