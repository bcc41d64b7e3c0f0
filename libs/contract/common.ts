import {
  type Static,
  type TObjectOptions,
  type TProperties,
  type TSchema,
  type TStringOptions,
  Type,
} from 'typebox';

const PAGE_SIZE_MAX = 100;

/** Later pages are refused: the cost of a page grows with its number. */
const PAGE_MAX = 10_000;

/** A value or null, as a `type` array: unlike a union, it is serialised without checking each branch. */
const nullableOf =
  <Value>(type: 'string' | 'integer' | 'number') =>
  (description?: string) =>
    Type.Unsafe<Value | null>({
      type: [type, 'null'],
      ...(description === undefined ? {} : { description }),
    });
export const nullableText = nullableOf<string>('string');
export const nullableInteger = nullableOf<number>('integer');
export const nullableNumber = nullableOf<number>('number');

export const nullable = <Of extends TSchema>(of: Of) => Type.Union([of, Type.Null()]);

export const oneOf = <const Values extends readonly string[]>(
  values: Values,
  description?: string,
) =>
  Type.Unsafe<Values[number]>({
    type: 'string',
    enum: [...values],
    ...(description === undefined ? {} : { description }),
  });

/** Values that OpenAPI shows in the calls with such a field. */
export const EXAMPLE = {
  address: '6SqDJLhKjMZjVFQeKbeQY2SVNJeb9i7qfVkT4LteivZt',
  hash: 'f135b7146e6c6f0846787fed5a046eb7c9fb42b8f3b707ddb3496ab098e48479',
  player: '4ynr1av9afxec69m',
  round: '4ynr1av9afxec69m-1',
  seed: '4f31ca62fd27f83d',
  time: '2026-11-26T09:30:00.000Z',
  withdrawal: '4ynr1av9afxec69m-w1',
  transaction:
    '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW',
} as const;

/** A text with its example. */
export const text = (example: string, about: string | TStringOptions = {}) =>
  Type.String({
    ...(typeof about === 'string' ? { description: about } : about),
    examples: [example],
  });

/** An object that is a component of OpenAPI. */
export const named = <Fields extends TProperties>(title: string, fields: Fields) =>
  Type.Object(fields, { title });

/** The record of a round that only its game reads. */
export const Outcome = Type.Unsafe<Readonly<Record<string, unknown>>>({
  type: 'object',
  additionalProperties: true,
  description: 'Outcome drawn, in the format of the game',
  examples: [{ symbols: [4, 2, 4] }],
});

/** The player's choice with a bet. Each game validates its own. */
export const Choice = Type.Unsafe<Readonly<Record<string, number | string>>>({
  type: 'object',
  maxProperties: 16,
  additionalProperties: { type: ['integer', 'string'] },
  description: 'Choice of the player, by the fields in /game/configs; only for games with a choice',
  examples: [{ over: 50 }],
});

/** A position in the ledger: global, without gaps, from 1. */
export const Position = Type.Integer({
  description: 'Position in the ledger, from 1',
  examples: [34],
});

/** A positive integer in a path. At most 15 digits, so that a JSON number represents it exactly. */
export const NumberText = text('34', { pattern: '^[1-9]\\d{0,14}$' });

export const Time = text(EXAMPLE.time, 'ISO 8601, UTC');

export const balanceFields = {
  balance: Type.Number({ description: 'BSM; equal to token_balance' }),
  token_balance: Type.Number({ description: 'BSM' }),
  points_balance: Type.Number({ description: 'Points' }),
  stream_version: Type.Integer({
    description: 'Version of the player stream; ignore balances with a lower version than shown',
  }),
  position: Position,
};

export const Balances = named('Balances', balanceFields);
export type Balances = Static<typeof Balances>;

/** Entries of a filtered list; older ones need a narrower period. */
export const FILTERED_MAX = 10_000;

/** The filter and the ledger check it as well: this bounds its length. */
const Moment = (description: string) =>
  Type.Optional(
    text('2026-11-01', {
      maxLength: 40,
      description: `${description}: ISO 8601 with Z or an offset, or a date, which begins at 00:00 UTC`,
    }),
  );

/** A period of a list or a statement. */
export const periodQuery = {
  from: Moment('Start, included'),
  to: Moment('End, not included'),
};

export const GameId = text('slot-machine', {
  pattern: '^[a-z0-9-]{1,40}$',
  description: 'Id of a game, such as slot-machine',
});

/** An object that accepts no other fields. */
export const closed = <Fields extends TProperties>(fields: Fields) =>
  Type.Object(fields, { additionalProperties: false });

export const Empty = closed({});

/** Query of a paged list. */
export function pageQuery(defaultSize: number) {
  return closed({
    page: Type.Optional(Type.Integer({ minimum: 1, maximum: PAGE_MAX, default: 1 })),
    page_size: Type.Optional(
      Type.Integer({ minimum: 1, maximum: PAGE_SIZE_MAX, default: defaultSize }),
    ),
  });
}

export function pageOf<Item extends TSchema>(item: Item) {
  return Type.Object({
    items: Type.Array(item),
    page: Type.Integer(),
    page_size: Type.Integer(),
    total: Type.Integer(),
  });
}

const IDEMPOTENCY_KEY_MAX_LENGTH = 128;

export const IDEMPOTENCY_KEY_PATTERN = `^[\\x21-\\x7e]{1,${IDEMPOTENCY_KEY_MAX_LENGTH}}$`;

/** Headers of a call that moves money. */
export const KeyHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    text('my-first-bet', {
      pattern: IDEMPOTENCY_KEY_PATTERN,
      description: `1 to ${IDEMPOTENCY_KEY_MAX_LENGTH} visible ASCII characters; repeating a call with the same key returns the first response`,
    }),
  ),
});

/** The envelope of every response. `code` equals the HTTP status; 200 is success. */
export function envelopeOf<Data extends TSchema>(data: Data, about: TObjectOptions = {}) {
  const code = Type.Integer({ examples: [200] });
  return Type.Object({ code, message: Type.String({ examples: ['success'] }), data }, about);
}

export interface Envelope<Data> {
  readonly code: number;
  readonly message: string;
  readonly data: Data;
}

/** A figure of a refusal; only operators receive exact amounts. */
export type Figure = string | number | { readonly asset: string; readonly minor: string };

/** One fault of a configuration that is refused: by code and facts it can be shown in any language. */
export interface FaultAnswer {
  readonly code: string;
  readonly facts: Readonly<Record<string, string | number>>;
  /** In English. */
  readonly text: string;
}

/** `error` is a kebab-case code; further keys are figures for the message. `faults` comes with `config-invalid` only. */
export interface ErrorData {
  readonly error: string;
  readonly [figure: string]: Figure | readonly FaultAnswer[];
}

/** Response of `/health`, without envelope. */
export const Health = Type.Object({
  status: Type.Literal('ok'),
  position: Position,
  /** true on the local chain with play money: the development wallet may be used. */
  local_chain: Type.Boolean(),
});
export type Health = Static<typeof Health>;
