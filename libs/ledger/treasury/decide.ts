import { assert, unreachable } from '../assert.ts';
import type { Decider } from '../decider.ts';
import { HOLDING_MAX_MINOR } from '../money.ts';
import type { Rejection } from '../rejections.ts';
import { type Anchor, anchorMemo, assertAnchor } from './anchor.ts';
import { type RecordDust, recordDust } from './dust.ts';
import type { SealAnchored, TreasuryData, TreasuryEvent } from './events.ts';
import type { TreasuryState } from './state.ts';
import { assertAmount, type ResolveUnmatchedDeposit, resolve } from './unmatched.ts';

export type TreasuryCommand =
  | ObserveTreasury
  | SeeUnmatchedDeposit
  | ResolveUnmatchedDeposit
  | RecordDust
  | AnchorSeal;

export interface ObserveTreasury {
  readonly type: 'ObserveTreasury';
  readonly tokenMinor: bigint;
  readonly source: string;
  /** As in `TreasuryObserved`; 0 before the first transfer. */
  readonly netDepositsMinor?: bigint;
  readonly slot?: number;
}

export type SeeUnmatchedDeposit = {
  readonly type: 'SeeUnmatchedDeposit';
} & TreasuryData['UnmatchedDepositSeen'];

/** The memo is final on the chain; the caller has seen it there. `recorded` is what the stream of the seals gives. */
export type AnchorSeal = {
  readonly type: 'AnchorSeal';
  readonly recorded: Anchor | null;
} & SealAnchored['data'];

export const treasuryDecider: Decider<TreasuryState, TreasuryCommand, TreasuryEvent> = {
  kind: 'treasury',
  stateSchema: 5,
  initial: {
    tokenMinor: null,
    netDepositsMinor: 0n,
    unmatched: { count: 0, amountMinor: 0n },
    anchoredSeal: 0,
  },
  decide,
  evolve,
};

function decide(
  state: TreasuryState,
  command: TreasuryCommand,
): readonly TreasuryEvent[] | Rejection {
  switch (command.type) {
    case 'ObserveTreasury':
      return observe(state, command);
    case 'SeeUnmatchedDeposit': {
      const { type: _, ...data } = command;
      assertAmount(data.amountMinor);
      return [{ type: 'UnmatchedDepositSeen', data }];
    }
    case 'ResolveUnmatchedDeposit':
      return resolve(state, command);
    case 'RecordDust':
      return recordDust(state, command);
    case 'AnchorSeal': {
      const { type: _, recorded, ...data } = command;
      // Another cashier anchored these seals first.
      if (data.fromSeal !== state.anchoredSeal + 1) return [];
      assertAnchor(data);
      const same = recorded !== null && anchorMemo(recorded) === anchorMemo(data);
      assert(same, `seals ${data.fromSeal} to ${data.seal} are recorded with these roots`);
      return [{ type: 'SealAnchored', data }];
    }
    default:
      return unreachable(command);
  }
}

/** Slots between two parallel observations, some minutes. */
const PARALLEL_SLOTS_MAX = 1_000;

/** An observation is never refused. One without a change appends no event. */
function observe(state: TreasuryState, command: ObserveTreasury): readonly TreasuryEvent[] {
  const { tokenMinor, source, netDepositsMinor = 0n, slot } = command;
  assert(tokenMinor >= 0n && tokenMinor <= HOLDING_MAX_MINOR, 'a treasury holds an amount');
  const previousNetDepositsMinor = state.netDepositsMinor;
  // Of two parallel observations the one at the earlier slot is outdated. A slot far ahead was a node's mistake.
  const behind = (state.slot ?? 0) - (slot ?? Number.POSITIVE_INFINITY);
  if (behind > 0 && behind <= PARALLEL_SLOTS_MAX) return [];
  if (tokenMinor === state.tokenMinor && netDepositsMinor === previousNetDepositsMinor) return [];
  const previousTokenMinor = state.tokenMinor ?? 0n;
  const flows = netDepositsMinor !== 0n || previousNetDepositsMinor !== 0n;
  const data = {
    tokenMinor,
    previousTokenMinor,
    source,
    ...(flows ? { netDepositsMinor, previousNetDepositsMinor } : {}),
    ...(slot === undefined ? {} : { slot }),
  };
  return [{ type: 'TreasuryObserved', data }];
}

function evolve(state: TreasuryState, event: TreasuryEvent): TreasuryState {
  const { unmatched } = state;
  switch (event.type) {
    case 'TreasuryObserved': {
      const { tokenMinor, netDepositsMinor = 0n, slot } = event.data;
      return { ...state, tokenMinor, netDepositsMinor, ...(slot === undefined ? {} : { slot }) };
    }
    case 'UnmatchedDepositSeen': {
      const amountMinor = unmatched.amountMinor + event.data.amountMinor;
      return { ...state, unmatched: { count: unmatched.count + 1, amountMinor } };
    }
    case 'UnmatchedDepositResolved': {
      const amountMinor = unmatched.amountMinor - event.data.amountMinor;
      assert(unmatched.count > 0 && amountMinor >= 0n, 'a resolved deposit was recorded before');
      return { ...state, unmatched: { count: unmatched.count - 1, amountMinor } };
    }
    case 'DustReceived':
      return { ...state, dustDay: event.data.day };
    case 'SealAnchored':
      assert(event.data.fromSeal === state.anchoredSeal + 1, 'anchors have no gaps');
      return { ...state, anchoredSeal: event.data.seal };
    default:
      event satisfies never; // of another stream: for the audit to find
      return state;
  }
}
