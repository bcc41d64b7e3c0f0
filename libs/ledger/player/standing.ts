import { assert, unreachable } from '../assert.ts';
import {
  ACTION_ALONE,
  ACTION_WITH_REASON,
  type EventDescriptor,
  type EventOf,
  type PlayerDescriptorsOf,
} from '../descriptor.ts';
import { type Asset, move } from '../money.ts';
import type { Agreed } from '../proposals.ts';
import type { Balances } from './balances.ts';
import type { Notice } from './notices.ts';

/** Actions of operators on a player, in the player's own stream: the operator is the actor, and the event has the reason. */
export interface StandingData {
  /** No stake, no purchase of points and no intent to deposit until reinstated. Selling points and withdrawing stay possible. */
  readonly PlayerSuspended: StandingChange<'active', 'suspended'>;
  readonly PlayerReinstated: StandingChange<'suspended', 'active'> & { readonly proposal: Agreed };
  /** A note of operators on a player. It changes nothing, and the player does not see it. */
  readonly PlayerNoted: { readonly by: string; readonly note: string };
  /** House to player, or player to house. */
  readonly BalanceAdjusted: Adjustment & {
    /** Missing for one operator alone. */
    readonly proposal?: Agreed;
    /** The day in UTC, counted from 1970, by which the adjustments of single operators are counted. */
    readonly day: number;
    readonly before: Balances;
    readonly after: Balances;
    readonly notice: Notice;
  };
}

export type StandingEvent = EventOf<StandingData>;
export type PlayerSuspended = EventOf<StandingData, 'PlayerSuspended'>;
export type PlayerNoted = EventOf<StandingData, 'PlayerNoted'>;
export type BalanceAdjusted = EventOf<StandingData, 'BalanceAdjusted'>;

interface StandingChange<Before, After> {
  readonly statusBefore: Before;
  readonly statusAfter: After;
  readonly by: string;
  readonly reason: string;
  readonly notice: Notice;
}

/** `deltaMinor` is signed: above 0 the house pays, below it receives. `adjustment` is `<publicId>-a<n>`, n from 1. */
export interface Adjustment {
  readonly adjustment: string;
  readonly asset: Asset;
  readonly deltaMinor: bigint;
  readonly by: string;
  readonly reason: string;
}

export const STANDING_EVENTS: PlayerDescriptorsOf<StandingEvent> = {
  PlayerSuspended: {
    number: 21,
    visibleToPlayer: true,
    operator: ACTION_WITH_REASON,
    postings: null,
    sentence: ['suspended: {reason}', ({ reason }) => ({ reason })],
  },
  PlayerReinstated: {
    number: 22,
    visibleToPlayer: true,
    operator: null,
    postings: null,
    sentence: ['reinstated: {reason}', ({ reason }) => ({ reason })],
  },
  PlayerNoted: {
    number: 23,
    visibleToPlayer: false,
    operator: { role: 'operator', act: { reason: ({ note }) => note } },
    postings: null,
    sentence: ['note: {note}', ({ note }) => ({ note })],
  },
  BalanceAdjusted: {
    number: 26,
    visibleToPlayer: true,
    operator: ACTION_ALONE,
    postings: ({ asset, deltaMinor }, owner) => move(asset, 'house', `player:${owner}`, deltaMinor),
    sentence: [
      'balance adjusted by {amount}: {reason}',
      ({ asset, deltaMinor: minor, reason }) => ({ amount: { asset, minor }, reason }),
    ],
  },
};

/** Actions that change no state: each is recorded as its event, with the same data. */
export const RECORDED_ACTS = { NotePlayer: 'PlayerNoted' } as const satisfies Readonly<
  Record<string, StandingEvent['type']>
>;

type Recorded = typeof RECORDED_ACTS;
export type RecordedEvent = Extract<StandingEvent, { type: Recorded[keyof Recorded] }>;
export type RecordedAct = {
  [Action in keyof Recorded]: { readonly type: Action } & Extract<
    StandingEvent,
    { type: Recorded[Action] }
  >['data'];
}[keyof Recorded];

export const isRecordedAct = (act: { readonly type: string }): act is RecordedAct =>
  Object.hasOwn(RECORDED_ACTS, act.type);

export function recordedAs({ type, ...data }: RecordedAct): RecordedEvent {
  return { type: RECORDED_ACTS[type], data } as RecordedEvent;
}

/** The operator's reason. */
export function reasonOfRecorded(act: RecordedAct): string {
  const { type, data } = recordedAs(act);
  const { operator } = STANDING_EVENTS[type] as EventDescriptor<RecordedEvent['data']>;
  return operator?.act?.reason(data, act.by) ?? '';
}

export const isStandingEvent = (event: { readonly type: string }): event is StandingEvent =>
  Object.hasOwn(STANDING_EVENTS, event.type);

/**
 * The standing of a player: the status that operators set (suspended or active) and their adjustments of the balance. A state
 * without it is of a player on whom no operator has acted.
 */
export interface StandingState {
  readonly suspended: boolean;
  readonly adjustments: number;
  /** The absolute sums that single operators adjusted on a day, including returned stakes. */
  readonly alone: { readonly day: number } & Balances;
}

export interface Standing {
  readonly standing?: StandingState;
}

const UNTOUCHED: StandingState = {
  suspended: false,
  adjustments: 0,
  alone: { day: 0, pointsMinor: 0n, tokenMinor: 0n },
};

export const standingOf = (state: Standing): StandingState => state.standing ?? UNTOUCHED;

/** The key of an asset's amount in balances. */
export const AMOUNT_OF = { points: 'pointsMinor', token: 'tokenMinor' } as const;

const size = (minor: bigint) => (minor < 0n ? -minor : minor);

/** The sums of single operators on that day with this amount added. A late clock does not reopen an earlier day. */
export function aloneWith(
  { alone }: StandingState,
  { asset, deltaMinor, day }: Pick<BalanceAdjusted['data'], 'asset' | 'deltaMinor' | 'day'>,
): StandingState['alone'] {
  const known = day > alone.day ? { day, pointsMinor: 0n, tokenMinor: 0n } : alone;
  const key = AMOUNT_OF[asset];
  return { ...known, [key]: known[key] + size(deltaMinor) };
}

/** The state after an operator returned a stake alone: it counts as an adjustment. */
export function withVoidAlone<State extends Standing>(
  state: State,
  {
    stakeMinor: deltaMinor,
    proposal,
    day,
  }: {
    readonly stakeMinor: bigint;
    readonly proposal?: Agreed;
    readonly day: number;
  },
): State {
  if (proposal) return state;
  const standing = standingOf(state);
  const alone = aloneWith(standing, { asset: 'points', deltaMinor, day });
  return { ...state, standing: { ...standing, alone } };
}

/** The state after an event of an operator, except balances and notifications. */
export function withStatus<State extends Standing>(state: State, event: StandingEvent): State {
  const standing = after(standingOf(state), event);
  return standing ? { ...state, standing } : state;
}

/** Null: it changes nothing. */
function after(standing: StandingState, event: StandingEvent): StandingState | null {
  const { adjustments } = standing;
  switch (event.type) {
    case 'PlayerSuspended':
      assert(!standing.suspended, 'a suspended player was active');
      return { ...standing, suspended: true };
    case 'PlayerReinstated':
      assert(standing.suspended, 'a reinstated player was suspended');
      return { ...standing, suspended: false };
    case 'PlayerNoted':
      return null;
    case 'BalanceAdjusted': {
      const next = `-a${adjustments + 1}`;
      assert(event.data.adjustment.endsWith(next), 'adjustments are numbered without gaps');
      const alone = event.data.proposal ? standing.alone : aloneWith(standing, event.data);
      return { ...standing, adjustments: adjustments + 1, alone };
    }
    default:
      return unreachable(event);
  }
}
