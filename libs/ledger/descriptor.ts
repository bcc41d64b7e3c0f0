import type { ChangedValue } from './config/edit.ts';
import type { Hold } from './holds.ts';
import type { Asset, Posting } from './money.ts';
import type { Role } from './operators/roles.ts';

/**
 * The properties of a type of event: postings, sentence, the roles that the audit requires, the number in the entries, and
 * whether a player may see it. Each descriptor is next to its type; `event-types.ts` collects them. Nothing of it is stored
 * with an event.
 */
export interface EventDescriptor<Data> {
  /** 1 to 99 within its kind of stream; stored in the entries. It never changes and is never reused. */
  readonly number: number;
  /** Which operators may write it; null: none. */
  readonly operator: OperatorRule<Data> | null;
  /** The legs of its double entry; null: it moves no money. `owner` is the wallet of a player's stream. */
  readonly postings: ((data: Data, owner: string) => readonly Posting[]) | null;
  /** A short text for operators, in English, and its facts; `{name}` is replaced by the fact of that name. */
  readonly sentence: readonly [string, (data: Data) => Facts];
}

export interface PlayerEventDescriptor<Data> extends EventDescriptor<Data> {
  /**
   * Whether its player may see it, through any interface. An event that notifies the player or moves the balance is always
   * visible.
   */
  readonly visibleToPlayer: Extract<keyof Data, 'notice' | 'after'> extends never ? boolean : true;
}

export interface OperatorRule<Data> {
  /** The least role; `any`: also a wallet that is not an operator. */
  readonly role: Role | 'any' | ((data: Data) => Role);
  /** For an action on a player or on money: it needs a reason and the operator's own name, and must not affect the operator's own wallet. */
  readonly act: Action<Data> | null;
}

export interface Action<Data> {
  /** The operator's reason. */
  readonly reason: (data: Data, actor: string) => string;
  /** For a type that the player or the system also writes: whether this event must be an operator's. */
  readonly isOperators?: (data: Data, actor: string) => boolean;
}

/** The events of a map from types to their data, or those of some of its types. */
export type EventOf<Data, Type extends keyof Data = keyof Data> = {
  [Each in Type]: { readonly type: Each; readonly data: Data[Each] };
}[Type];

interface Typed {
  readonly type: string;
  readonly data: object;
}

/** One descriptor for each type of event; the compiler reports missing ones. */
export type DescriptorsOf<Event extends Typed> = {
  readonly [Type in Event['type']]: EventDescriptor<Extract<Event, { type: Type }>['data']>;
};

export type PlayerDescriptorsOf<Event extends Typed> = {
  readonly [Type in Event['type']]: PlayerEventDescriptor<Extract<Event, { type: Type }>['data']>;
};

/** An event that the player or the system writes, and that the player may see. */
export function ofPlayer<Data>(
  number: number,
  sentence: EventDescriptor<Data>['sentence'],
  postings: EventDescriptor<Data>['postings'] = null,
): EventDescriptor<Data> & { readonly visibleToPlayer: true } {
  return { number, visibleToPlayer: true, operator: null, postings, sentence };
}

/** An event that moves no money, outside of players' streams. */
export function movesNothing<Data>(
  number: number,
  operator: EventDescriptor<Data>['operator'],
  sentence: EventDescriptor<Data>['sentence'],
): EventDescriptor<Data> {
  return { number, operator, postings: null, sentence };
}

/** The rule of most actions of operators. */
export const ACTION_WITH_REASON = {
  role: 'operator',
  act: { reason: ({ reason }: { readonly reason: string }) => reason },
} as const;

/** As before, where one operator may act alone; with a proposal, `system:approvals` writes it. */
export const ACTION_ALONE = {
  role: 'operator',
  act: {
    reason: ({ reason }: { readonly reason: string }) => reason,
    isOperators: ({ proposal }: { readonly proposal?: object }) => proposal === undefined,
  },
} as const;

/**
 * A fact of a sentence. A text or a number is printed unchanged; `name` is a long identifier, such as a wallet or an actor;
 * `term` is a code of the ledger, such as a role; `untilMs` is an end, null for never; `hold` is why a withdrawal waits;
 * `changes` are values of the configuration, none for its first ones.
 */
export type Fact =
  | string
  | number
  | { readonly asset: Asset; readonly minor: bigint }
  | { readonly name: string }
  | { readonly term: string }
  | { readonly untilMs: number | null }
  | { readonly hold: Hold }
  | { readonly changes: readonly ChangedValue[] };

export type Facts = Readonly<Record<string, Fact>>;

export const points = (minor: bigint) => ({ asset: 'points', minor }) as const;
export const token = (minor: bigint) => ({ asset: 'token', minor }) as const;
export const name = (of: string) => ({ name: of });
export const term = (of: string) => ({ term: of });
