import type { Decider, LedgerEvent } from '@reelbook/ledger/decider';
import type { PlacedEvent } from '@reelbook/ledger/events';
import type { Rejection } from '@reelbook/ledger/rejections';

/** The input of the command executor. `prepare` runs inside its loop, on the state that the command is decided on. */
export interface Execution<State, Command, Event extends LedgerEvent> {
  readonly decider: Decider<State, Command, Event>;
  readonly stream: string;
  /**
   * Idempotency key `<scope>:<name>`, such as `player-<wallet>:command:<the client's key>`. Null: the command happens as
   * often as it is sent.
   */
  readonly idempotencyKey: string | null;
  /** The request as JSON: the same idempotency key with another request is refused. */
  readonly request: unknown;
  readonly meta: { readonly correlation: string; readonly actor: string };
  /** `prepare` reads the stream's events: earlier commands of the queue are appended before. */
  readonly readsStream?: boolean;
  /** Fetches what the decision needs; the decider checks the guards. Called again when the state has changed. */
  prepare(state: State): Promise<Prepared<Command> | Rejection>;
}

export interface Prepared<Command> {
  readonly command: Command;
  /** The configuration version it was prepared under; null when it depends on none. */
  readonly configVersion: number | null;
}

/** The result for the caller. */
export type Executed<State, Event> =
  | {
      readonly kind: 'done';
      readonly events: readonly PlacedEvent<Event>[];
      /** The state after it; null for a replayed result, which is built from its events alone. */
      readonly state: State | null;
      readonly version: number;
      /** Position of its last event; 0 for a command that changed nothing. */
      readonly position: number;
      readonly replayed: boolean;
    }
  | { readonly kind: 'refused'; readonly rejection: Rejection }
  | { readonly kind: 'key-reused' };
