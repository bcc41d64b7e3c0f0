import type { Balances } from './events.ts';
import type { Noticed } from './notices.ts';
import type { Protected } from './protection-state.ts';
import type { Withdrawing } from './withdrawals.ts';

/** The pair of seeds in use. `nonce` is the next one to be used. */
export interface SeedState {
  readonly pair: number;
  readonly activeHash: string;
  readonly nextHash: string;
  readonly clientSeed: string;
  readonly nonce: number;
}

export interface PlayerState extends Balances, Noticed, Protected, Withdrawing {
  /** Empty until registered. */
  readonly wallet: string;
  readonly publicId: string;
  readonly nickname: string | null;
  readonly seeds: SeedState | null;
  /** Rounds ever begun: the next round's number is `rounds + 1`. */
  readonly rounds: number;
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
