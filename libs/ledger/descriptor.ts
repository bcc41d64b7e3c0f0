import type { Hold } from './holds.ts';
import type { Asset, Posting } from './money.ts';
import type { Role } from './operators/roles.ts';

/**
 * What the ledger knows of a type of event, in one place. Each type's descriptor is next to the type; `event-types.ts`
 * has all of them. Postings, sentences, the roles that the audit asks for, the numbers of the entries and what a player may
 * see follow from it. None of it is stored with an event.
 */
export interface EventDescriptor<Data> {
  /** 1 to 99 within its kind of stream: rows of the entries have it. It never changes and is never used again. */
  readonly number: number;
  /** Which operators may write it; null: none. */
  readonly operator: OperatorRule<Data> | null;
  /** The legs of its double entry; null: it moves no money. `owner` is the wallet of a player's stream. */
  readonly postings: ((data: Data, owner: string) => readonly Posting[]) | null;
  /** In few words, for operators: English, and its figures; `{name}` stands for the fact of that name. */
  readonly sentence: readonly [string, (data: Data) => Facts];
}

export interface PlayerEventDescriptor<Data> extends EventDescriptor<Data> {
  /**
   * Whether its player may have it, by whatever route. What notifies a player, or moves the balance, cannot be kept from
   * that player.
   */
  readonly visibleToPlayer: Extract<keyof Data, 'notice' | 'after'> extends never ? boolean : true;
}

export interface OperatorRule<Data> {
  /** The least role; `any`: also a wallet that is no operator. */
  readonly role: Role | 'any' | ((data: Data) => Role);
  /** Of what is done to a player or to money: for a reason, in the operator's own name, not to the operator's own wallet. */
  readonly act: Action<Data> | null;
}

export interface Action<Data> {
  /** Why, as the operator wrote it. */
  readonly reason: (data: Data, actor: string) => string;
  /** Of a type that the player or the system writes too: whether this event has to be an operator's. */
  readonly isOperators?: (data: Data, actor: string) => boolean;
}

interface Typed {
  readonly type: string;
  readonly data: object;
}

/** One descriptor for each type of event: the compiler asks for those that are missing. */
export type DescriptorsOf<Event extends Typed> = {
  readonly [Type in Event['type']]: EventDescriptor<Extract<Event, { type: Type }>['data']>;
};

export type PlayerDescriptorsOf<Event extends Typed> = {
  readonly [Type in Event['type']]: PlayerEventDescriptor<Extract<Event, { type: Type }>['data']>;
};

/** What the player or the system writes, and the player may have. */
export function ofPlayer<Data>(
  number: number,
  sentence: EventDescriptor<Data>['sentence'],
  postings: EventDescriptor<Data>['postings'] = null,
): EventDescriptor<Data> & { readonly visibleToPlayer: true } {
  return { number, visibleToPlayer: true, operator: null, postings, sentence };
}

/** The rule of most acts of operators. */
export const ACTION_WITH_REASON = {
  role: 'operator',
  act: { reason: ({ reason }: { readonly reason: string }) => reason },
} as const;

/**
 * A figure of a sentence. A text or a number is printed as it is; `name` is whom or what a long identifier names: a wallet,
 * an actor; `term` is a word of the ledger's own, such as a role; `untilMs` is when it ends, null for never; `hold` is why
 * a withdrawal waits.
 */
export type Fact =
  | string
  | number
  | { readonly asset: Asset; readonly minor: bigint }
  | { readonly name: string }
  | { readonly term: string }
  | { readonly untilMs: number | null }
  | { readonly hold: Hold };

export type Facts = Readonly<Record<string, Fact>>;

export const points = (minor: bigint) => ({ asset: 'points', minor }) as const;
export const token = (minor: bigint) => ({ asset: 'token', minor }) as const;
export const name = (of: string) => ({ name: of });
export const term = (of: string) => ({ term: of });
