import { assert } from '../assert.ts';
import type { Balances } from './balances.ts';
import type { BetPlaced, VoidProposed, VoidRefused } from './events.ts';
import type { Noticed } from './notices.ts';
import type { Protected } from './protection-state.ts';
import type { Standing } from './standing.ts';
import type { Withdrawing } from './withdrawals.ts';

/** The pair of seeds in use. `nonce` is the next one to be used. */
export interface SeedState {
  readonly pair: number;
  readonly activeHash: string;
  readonly nextHash: string;
  readonly clientSeed: string;
  /** Only of a later pair than the first: see `clientSeedBy`. */
  readonly clientSeedBy?: 'site';
  readonly nonce: number;
}

/** Who chose the client seed of the pair in use. That of the first pair is always the site's. */
export function clientSeedBy({ pair, clientSeedBy: by }: SeedState): 'player' | 'site' {
  return pair === 1 || by === 'site' ? 'site' : 'player';
}

/** The player's latest round of a game that lasts, and whether it is still to be settled. */
export interface TimedRound {
  readonly round: string;
  readonly rules: string;
  readonly stakeMinor: bigint;
  readonly lines: number;
  readonly serverSeedHash: string;
  readonly clientSeed: string;
  readonly nonce: number;
  readonly ticks: number;
  readonly tickMs: number;
  readonly open: boolean;
  /** An operator proposed to void it, and it is still open. */
  readonly voidProposed?: { readonly by: string; readonly reason: string };
}

export interface PlayerState extends Balances, Noticed, Protected, Standing, Withdrawing {
  /** Empty until registered. */
  readonly wallet: string;
  readonly publicId: string;
  readonly nickname: string | null;
  readonly seeds: SeedState | null;
  /** Rounds ever begun: the next round's number is `rounds + 1`. */
  readonly rounds: number;
  /** By game; a state without it is one whose player never played a game that lasts. */
  readonly timed?: Readonly<Record<string, TimedRound>>;
}

export const initialPlayer: PlayerState = {
  wallet: '',
  publicId: '',
  nickname: null,
  pointsMinor: 0n,
  tokenMinor: 0n,
  seeds: null,
  rounds: 0,
};

export function isRegistered(state: PlayerState): boolean {
  return state.wallet !== '';
}

export function balancesOf(state: Balances): Balances {
  return { pointsMinor: state.pointsMinor, tokenMinor: state.tokenMinor };
}

/** The open round of a game, if there is one. */
export function openRoundOf(state: PlayerState, game: string): TimedRound | null {
  const round = state.timed?.[game];
  return round?.open ? round : null;
}

/** All open rounds, by game. */
export function openRounds(state: PlayerState): readonly (readonly [string, TimedRound])[] {
  return Object.entries(state.timed ?? {}).filter(([, { open }]) => open);
}

/** The state after a round of a game that lasts was begun. */
export function withOpenRound(state: PlayerState, placed: BetPlaced['data']): PlayerState {
  const { game, timed } = placed;
  if (!timed) return state;
  const { seeds } = state;
  assert(seeds, 'a round is drawn from the pair in use');
  assert(!openRoundOf(state, game), 'a player has one open round of a game');
  const { round, rules, stakeMinor, lines, nonce } = placed;
  const drawnFrom = { serverSeedHash: seeds.activeHash, clientSeed: seeds.clientSeed, nonce };
  const bet = { round, rules, stakeMinor, lines, ...drawnFrom };
  return { ...state, timed: { ...state.timed, [game]: { ...bet, ...timed, open: true } } };
}

/** The state after a round was settled or voided; the same for one that was never open. */
export function withRoundEnded(
  state: PlayerState,
  { game, round }: { readonly game: string; readonly round: string },
): PlayerState {
  const begun = state.timed?.[game];
  if (begun?.round !== round) return state;
  assert(begun.open, 'a round ends once');
  const { voidProposed: _, ...ended } = begun;
  return { ...state, timed: { ...state.timed, [game]: { ...ended, open: false } } };
}

/** The state after the void of an open round was proposed or refused. A proposal ends with the round, however that ends. */
export function withVoidProposal(
  state: PlayerState,
  { type, data }: VoidProposed | VoidRefused,
): PlayerState {
  const { game, round, by, reason } = data;
  const open = openRoundOf(state, game);
  assert(open?.round === round, 'a void is of an open round');
  const { voidProposed, ...rest } = open;
  const follows = type === 'VoidRefused' ? voidProposed !== undefined : voidProposed?.by !== by;
  assert(follows, 'a void is proposed once by each, and refused once it was proposed');
  const next = type === 'VoidProposed' ? { ...rest, voidProposed: { by, reason } } : rest;
  return { ...state, timed: { ...state.timed, [game]: next } };
}
