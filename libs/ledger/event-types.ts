import { Bug } from './assert.ts';
import { CONFIG_EVENTS } from './config/events.ts';
import type { DescriptorsOf, EventDescriptor } from './descriptor.ts';
import type { AnyEvent } from './events.ts';
import type { Posting } from './money.ts';
import { OPERATOR_EVENTS } from './operators/events.ts';
import { PLAYER_EVENTS } from './player/events.ts';
import { SEAL_EVENTS } from './seals/decide.ts';
import type { StreamKind } from './streams.ts';
import { TREASURY_EVENTS } from './treasury/events.ts';

export type EventType = AnyEvent['type'];

/** In the order of the numbers in the entries: each kind has its own hundred. */
const BY_STREAM = {
  player: PLAYER_EVENTS,
  config: CONFIG_EVENTS,
  operators: OPERATOR_EVENTS,
  seals: SEAL_EVENTS,
  treasury: TREASURY_EVENTS,
} satisfies Record<StreamKind, object>;

export const STREAM_KINDS = Object.keys(BY_STREAM) as readonly StreamKind[];

/** The descriptor of every type of event; the compiler reports missing ones. */
export const EVENTS: DescriptorsOf<AnyEvent> = {
  ...PLAYER_EVENTS,
  ...CONFIG_EVENTS,
  ...OPERATOR_EVENTS,
  ...SEAL_EVENTS,
  ...TREASURY_EVENTS,
};

/** The kind of stream of each type. */
export const EVENT_TYPES = Object.fromEntries(
  STREAM_KINDS.flatMap((kind) => Object.keys(BY_STREAM[kind]).map((type) => [type, kind])),
) as Readonly<Record<EventType, StreamKind>>;

/** The descriptor of an event whose type this build knows. */
export function descriptorOf(event: AnyEvent): EventDescriptor<AnyEvent['data']> {
  return EVENTS[event.type] as unknown as EventDescriptor<AnyEvent['data']>;
}

const NONE: readonly Posting[] = [];

/** The postings of one event. `owner` is the wallet of the stream that it is in; unused outside player streams. */
export function postings(event: AnyEvent, owner: string): readonly Posting[] {
  return descriptorOf(event).postings?.(event.data, owner) ?? NONE;
}

/**
 * Whether the player of the stream may see an event: responses, receipts, proofs, notifications and the socket all use
 * this. False for other kinds of streams and for a type that this build does not know.
 */
export function isVisibleToPlayer({ type }: { readonly type: string }): boolean {
  return (
    Object.hasOwn(PLAYER_EVENTS, type) && PLAYER_EVENTS[type as PlayerEventType].visibleToPlayer
  );
}

type PlayerEventType = keyof typeof PLAYER_EVENTS;

export function isEventType(type: string): type is EventType {
  return Object.hasOwn(EVENT_TYPES, type);
}

/**
 * Throws `Bug` for a type that this build does not know: a fold skips types that do not concern it, and an event of a newer
 * build may concern it.
 */
export function assertKnown(type: string, position: number): void {
  if (isEventType(type)) return;
  throw new Bug(`position ${position} is a ${type}, which this build does not know`);
}
