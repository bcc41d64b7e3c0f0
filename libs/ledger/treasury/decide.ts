import { assert } from '../assert.ts';
import type { Decider } from '../decider.ts';
import { AMOUNT_MAX_MINOR } from '../money.ts';

/**
 * What the project's wallet was seen to hold. It moves nothing: it sets the cover of what is owed in token, by its
 * difference to what was seen before. `source` says who looked: `local-chain`, or the chain and the slot.
 */
export interface TreasuryObserved {
  readonly type: 'TreasuryObserved';
  readonly data: {
    readonly tokenMinor: bigint;
    /** 0 before the first observation. */
    readonly previousTokenMinor: bigint;
    readonly source: string;
  };
}

export interface ObserveTreasury {
  readonly type: 'ObserveTreasury';
  readonly tokenMinor: bigint;
  readonly source: string;
}

export interface TreasuryState {
  /** Null until it was first observed. */
  readonly tokenMinor: bigint | null;
}

/** An observation is never refused: what is, is. One that sees no change is no event. */
export const treasuryDecider: Decider<TreasuryState, ObserveTreasury, TreasuryObserved> = {
  kind: 'treasury',
  stateSchema: 1,
  initial: { tokenMinor: null },
  decide(state, { tokenMinor, source }) {
    assert(tokenMinor >= 0n && tokenMinor <= AMOUNT_MAX_MINOR, 'a treasury holds an amount');
    if (tokenMinor === state.tokenMinor) return [];
    const previousTokenMinor = state.tokenMinor ?? 0n;
    return [{ type: 'TreasuryObserved', data: { tokenMinor, previousTokenMinor, source } }];
  },
  evolve: (_state, event) => ({ tokenMinor: event.data.tokenMinor }),
};
