import { ACTION_WITH_REASON, ofPlayer, type PlayerDescriptorsOf, points } from '../descriptor.ts';
import { type Asset, move } from '../money.ts';
import type { Rate } from '../rate.ts';
import type { Balances } from './balances.ts';
import type { Notice, NotificationsRead } from './notices.ts';
import { PAYMENT_EVENTS, type PaymentEvent } from './payment-events.ts';
import { PROTECTION_EVENTS, type ProtectionEvent } from './protection-events.ts';
import { STANDING_EVENTS, type StandingEvent } from './standing.ts';

export type PlayerEvent =
  | PlayerRegistered
  | WelcomeGranted
  | SessionStarted
  | NicknameChanged
  | SeedsCommitted
  | ClientSeedChanged
  | SeedRevealed
  | BetPlaced
  | BetWon
  | BetLost
  | VoidProposed
  | VoidRefused
  | BetVoided
  | Exchanged
  | NotificationsRead
  | CommandDiscarded
  | IdempotencyKeyRecorded
  | PaymentEvent
  | ProtectionEvent
  | StandingEvent;

export interface PlayerRegistered {
  readonly type: 'PlayerRegistered';
  /** `publicId` is what other players may see: opaque, never the wallet. */
  readonly data: { readonly wallet: string; readonly publicId: string };
}

/** The player gave up a command that got no answer: its idempotency key is used up, so it can no longer be executed. */
export interface CommandDiscarded {
  readonly type: 'CommandDiscarded';
  readonly data: { readonly idempotencyKey: string };
}

/** A command that changed nothing, for its round was settled already: the result of that round is the answer to its key. */
export interface IdempotencyKeyRecorded {
  readonly type: 'IdempotencyKeyRecorded';
  readonly data: { readonly idempotencyKey: string; readonly round: string };
}

/** House to player, on the local chain only. */
export interface WelcomeGranted {
  readonly type: 'WelcomeGranted';
  readonly data: {
    readonly pointsMinor: bigint;
    readonly after: Balances;
    readonly notice?: Notice;
  };
}

export interface SessionStarted {
  readonly type: 'SessionStarted';
  /** A keyed hash of the session's token: names the session without being usable or linkable outside. */
  readonly data: { readonly session: string };
}

export interface NicknameChanged {
  readonly type: 'NicknameChanged';
  readonly data: { readonly nickname: string };
}

/** Commits to the hash of the server seed now in use and of the one after it. `pair` counts from 1. */
export interface SeedsCommitted {
  readonly type: 'SeedsCommitted';
  readonly data: { readonly pair: number; readonly activeHash: string; readonly nextHash: string };
}

/** The client seed of the pair that the event before it in the stream commits to. `by` names who chose it. */
export interface ClientSeedChanged {
  readonly type: 'ClientSeedChanged';
  readonly data: {
    readonly pair: number;
    readonly clientSeed: string;
    readonly by: 'player' | 'site';
  };
}

/** Ends a pair: the seed in the open, and how many nonces (0 .. nonces-1) it was used for. */
export interface SeedRevealed {
  readonly type: 'SeedRevealed';
  readonly data: {
    readonly pair: number;
    readonly serverSeedHash: string;
    readonly serverSeed: string;
    readonly clientSeed: string;
    readonly nonces: number;
    readonly notice?: Notice;
  };
}

/**
 * Player to house. `pair` and `nonce` name what its outcome follows from: SeedsCommitted and ClientSeedChanged of that
 * pair come before it in the stream. `round` is `<publicId>-<n>`, n from 1 without gaps. It settles in the same command,
 * unless it is `timed`.
 */
export interface BetPlaced {
  readonly type: 'BetPlaced';
  readonly data: {
    readonly round: string;
    readonly game: string;
    readonly stakeMinor: bigint;
    readonly lines: number;
    /** Only of a game with one: what its outcome pays follows from it. */
    readonly choice?: Choice;
    readonly rules: string;
    readonly pair: number;
    readonly nonce: number;
    /** When it was decided; only of a player for whom time counts. See protection-state.ts. */
    readonly atMs?: number;
    readonly after: Balances;
    /** Of a round that lasts: it stays open, and is not settled before its ticks are over. */
    readonly timed?: { readonly ticks: number; readonly tickMs: number };
  };
}

/** House to player. `outcome` is the game's own record of what was drawn. */
export interface BetWon {
  readonly type: 'BetWon';
  readonly data: {
    readonly round: string;
    readonly game: string;
    readonly outcome: Outcome;
    readonly stakeMinor: bigint;
    readonly payoutMinor: bigint;
    /** Of a round that is settled by a later command than its stake; as in BetPlaced. */
    readonly atMs?: number;
    readonly after: Balances;
    /** Only of a big win. */
    readonly notice?: Notice;
  };
}

export interface BetLost {
  readonly type: 'BetLost';
  readonly data: {
    readonly round: string;
    readonly game: string;
    readonly outcome: Outcome;
    readonly stakeMinor: bigint;
    readonly after: Balances;
  };
}

/** An operator asked for the void of an open round that one alone may not void. Nothing has moved yet. */
export interface VoidProposed {
  readonly type: 'VoidProposed';
  readonly data: {
    readonly round: string;
    readonly game: string;
    readonly stakeMinor: bigint;
    readonly by: string;
    readonly reason: string;
  };
}

/** By another operator, or withdrawn by the one who proposed it. The round goes on, and may be proposed again. */
export interface VoidRefused {
  readonly type: 'VoidRefused';
  readonly data: {
    readonly round: string;
    readonly game: string;
    readonly by: string;
    readonly reason: string;
  };
}

/**
 * House to player: an operator gives the stake of an open round back. What it would have paid follows from its seed: the
 * audit and the receipt draw it. `by`, `approvedBy`, `approvalReason` and `day` are as in BalanceAdjusted.
 */
export interface BetVoided {
  readonly type: 'BetVoided';
  readonly data: {
    readonly round: string;
    readonly game: string;
    readonly stakeMinor: bigint;
    readonly reason: string;
    readonly by: string;
    readonly approvedBy: string | null;
    readonly approvalReason: string | null;
    readonly day: number;
    /** As in BetWon. */
    readonly atMs?: number;
    readonly after: Balances;
    readonly notice: Notice;
  };
}

/** Player to house in one asset, house to player in the other, at a rate of whole units for a whole unit. */
export interface Exchanged {
  readonly type: 'Exchanged';
  readonly data: {
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

/** JSON that a game wrote and only that game reads. */
export type Outcome = Readonly<Record<string, unknown>>;

/** What a player chose with a bet, as the schema of the game has it. */
export type Choice = Readonly<Record<string, number | string>>;

/** Those of all players' streams. */
export const PLAYER_EVENTS: PlayerDescriptorsOf<PlayerEvent> = {
  PlayerRegistered: ofPlayer(6, ['registered as {publicId}', ({ publicId }) => ({ publicId })]),
  WelcomeGranted: ofPlayer(
    7,
    ['welcome: {amount}', ({ pointsMinor }) => ({ amount: points(pointsMinor) })],
    ({ pointsMinor }, owner) => move('points', 'house', `player:${owner}`, pointsMinor),
  ),
  SessionStarted: ofPlayer(8, ['logged in', () => ({})]),
  CommandDiscarded: ofPlayer(15, [
    'discarded the command with key {key}',
    ({ idempotencyKey }) => ({ key: idempotencyKey }),
  ]),
  IdempotencyKeyRecorded: ofPlayer(36, [
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
  VoidProposed: {
    number: 5,
    visibleToPlayer: true,
    operator: ACTION_WITH_REASON,
    postings: null,
    sentence: [
      'void proposed, returns {stake}: {reason}',
      ({ stakeMinor, reason }) => ({ stake: points(stakeMinor), reason }),
    ],
  },
  VoidRefused: {
    number: 35,
    visibleToPlayer: true,
    operator: ACTION_WITH_REASON,
    postings: null,
    sentence: ['void refused: {reason}', ({ reason }) => ({ reason })],
  },
  BetVoided: {
    number: 4,
    visibleToPlayer: true,
    operator: ACTION_WITH_REASON,
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
