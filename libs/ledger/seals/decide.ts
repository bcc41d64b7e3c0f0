import { assert } from '../assert.ts';
import type { Decider } from '../decider.ts';
import { type DescriptorsOf, movesNothing } from '../descriptor.ts';

/** Limit of events in one seal: a proof of an event reads the hashes of its complete seal. */
export const SEAL_EVENTS_MAX = 16_384;

const HASH_PATTERN = /^[0-9a-f]{64}$/;

/**
 * The events `from` to `to` (positions, both included) under one root: RFC 6962, each leaf the 32 bytes of an event's
 * hash, in order. Seals have no gaps and are numbered from 1. The event of a seal comes after the sealed events, so a later
 * seal covers it. It moves no money.
 */
export interface LedgerSealed {
  readonly type: 'LedgerSealed';
  readonly data: {
    readonly seal: number;
    readonly from: number;
    readonly to: number;
    /** 64 hex digits. */
    readonly root: string;
    /** The hash of the event at `to`, in hex: the head of the chain at that position. */
    readonly chainHash: string;
    /** The root of the seal before; null in the first. */
    readonly previousRoot: string | null;
  };
}

export const SEAL_EVENTS: DescriptorsOf<LedgerSealed> = {
  LedgerSealed: movesNothing(1, null, [
    'seal {seal} over #{from} to #{to}',
    ({ seal, from, to }) => ({ seal, from, to }),
  ]),
};

/** Seals the events after the last seal. Root and hash were computed from the ledger. */
export interface SealLedger {
  readonly type: 'SealLedger';
  readonly from: number;
  readonly to: number;
  readonly root: string;
  readonly chainHash: string;
}

export interface SealsState {
  /** The number of seals. */
  readonly seals: number;
  /** The last position that is sealed; 0 before the first seal. */
  readonly to: number;
  readonly root: string | null;
  readonly chainHash: string | null;
}

export const sealsDecider: Decider<SealsState, SealLedger, LedgerSealed> = {
  kind: 'seals',
  stateSchema: 1,
  initial: { seals: 0, to: 0, root: null, chainHash: null },
  decide(state, { from, to, root, chainHash }) {
    // Another auditor sealed these events first.
    if (from !== state.to + 1) return [];
    const count = to - from + 1;
    assert(Number.isSafeInteger(to) && count >= 1 && count <= SEAL_EVENTS_MAX, 'a range to seal');
    assert(HASH_PATTERN.test(root) && HASH_PATTERN.test(chainHash), 'a root and a hash');
    const seal = state.seals + 1;
    const data = { seal, from, to, root, chainHash, previousRoot: state.root };
    return [{ type: 'LedgerSealed', data }];
  },
  evolve: (_state, { data: { seal, to, root, chainHash } }) => ({
    seals: seal,
    to,
    root,
    chainHash,
  }),
};
