import type { Rejection } from './rejections.ts';

/** Any event: its type and its data. Amounts are bigints in keys that end in `Minor`. */
export interface LedgerEvent {
  readonly type: string;
  readonly data: object;
}

/**
 * The pure core of one kind of stream. `decide` never reads a clock, a random number or a rule: they come with the
 * command, a draw as a pure function that is called after every guard. `evolve` never refuses and never calls a game.
 * `stateSchema` increases when the result of `evolve` changes.
 */
export interface Decider<State, Command, Event extends LedgerEvent> {
  readonly kind: string;
  readonly stateSchema: number;
  readonly initial: State;
  decide(state: State, command: Command): readonly Event[] | Rejection;
  evolve(state: State, event: Event): State;
}

export function fold<State, Event extends LedgerEvent>(
  decider: Pick<Decider<State, never, Event>, 'initial' | 'evolve'>,
  events: Iterable<Event>,
  from: State = decider.initial,
): State {
  let state = from;
  for (const event of events) state = decider.evolve(state, event);
  return state;
}
