import type { ConfigEvent } from './config/events.ts';
import type { OperatorEvent } from './operators/events.ts';
import type { PlayerEvent } from './player/events.ts';
import type { LedgerSealed } from './seals/decide.ts';
import type { TreasuryEvent } from './treasury/events.ts';

/** Every event that may be in the ledger. */
export type AnyEvent = PlayerEvent | ConfigEvent | LedgerSealed | OperatorEvent | TreasuryEvent;

/** Who caused a command. `actor` is `player:<wallet>`, `operator:<wallet>` or `system:<part>`. */
export interface Meta {
  readonly command: string;
  readonly correlation: string;
  readonly actor: string;
}

/**
 * An event with its place in the ledger. `position` is global and dense from 1, `version` counts within the stream, `time`
 * is ISO 8601 in UTC with milliseconds.
 */
export interface PlacedEvent<Event = AnyEvent> {
  readonly position: number;
  /** Position of the first event of the same command. */
  readonly firstPosition: number;
  readonly stream: string;
  readonly version: number;
  readonly time: string;
  readonly event: Event;
  readonly meta: Meta;
}

/** An event read from the ledger: `body` is the sealed text, `hash` is sha256(previous hash || body) in hex. */
export interface RecordedEvent<Event = AnyEvent> extends PlacedEvent<Event> {
  readonly body: string;
  readonly hash: string;
}
