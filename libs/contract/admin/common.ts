import { HOLDS, type HoldCode } from '@reelbook/ledger/holds';
import type { Asset } from '@reelbook/ledger/money';
import { ROLES, type Role } from '@reelbook/ledger/operators/roles';
import { REASON_MAX_LENGTH } from '@reelbook/ledger/text';
import { type Static, Type } from 'typebox';
import { closed, nullableInteger, nullableText, oneOf, Position } from '../common.ts';

const TEXT_LENGTH_MAX = 200;

/** Rows of one page at most, of every list of the console. */
const ROWS_MAX = 200;

export const ASSETS = ['points', 'token'] as const satisfies readonly Asset[];

/** Exact: minor units (hundredths of points, 10^-9 BSM) as decimal text, signed. */
export const Amount = Type.Object({
  asset: oneOf(ASSETS),
  minor: Type.Unsafe<string>({ type: 'string', pattern: '^-?\\d{1,40}$' }),
});
export type Amount = Static<typeof Amount>;

/**
 * A figure of what is said in words, so that it can be said in any language: a text or a count as it is, an exact
 * amount, the `name` of somebody or something, a `term` of the ledger's own, `until` when (null: for good), or why the
 * cashier waits.
 */
export type Fact =
  | string
  | number
  | Amount
  | { readonly name: string }
  | { readonly term: string }
  | { readonly until: string | null }
  | { readonly hold: Hold };

export const Facts = Type.Unsafe<Readonly<Record<string, Fact>>>({
  type: 'object',
  additionalProperties: true,
  description: 'Its figures by name: texts, counts, amounts, {name}, {term}, {until} or {hold}',
});

/** Why the cashier does not go on with a withdrawal: by code and facts it can be said in any language. */
export const Hold = Type.Object({
  code: oneOf(Object.keys(HOLDS) as HoldCode[]),
  facts: Facts,
  text: Type.String({ description: 'In English' }),
});
export interface Hold {
  readonly code: HoldCode;
  readonly facts: Readonly<Record<string, Fact>>;
  readonly text: string;
}

/** An event in few words, beside its type: by type and facts it can be said in any language. */
export const sentenceFields = { facts: Facts, what: Type.String({ description: 'In English' }) };

export const Hash = Type.String({ description: '64 hex digits' });

/** Any JSON of ours: a state, an outcome. Amounts stand in keys that end in `Minor`, as decimal text. */
export const Json = Type.Unsafe<unknown>({});

/** No control characters: Postgres takes no NUL, and no name has any. */
export const PLAIN = '^[^\\u0000-\\u001f\\u007f]+$';

/** A text of a query: digits alone may have been read as a number on the way. */
export const QueryText = (description: string) =>
  Type.Optional(
    Type.Unsafe<string | number>({
      type: ['string', 'integer'],
      minLength: 1,
      maxLength: TEXT_LENGTH_MAX,
      pattern: PLAIN,
      description,
    }),
  );

/** A moment: a position, an ISO 8601 time, or nothing for now. */
const AT = 'A position, or an ISO 8601 time: the last position at it or before; now without';

export const At = QueryText(AT);

export const Limit = (byDefault: number, max = ROWS_MAX) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: max, default: byDefault }));

/** A position as a cursor of a query. */
export const Cursor = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description }));

/** A moment of the ledger as it is answered. At position 0 there is no time. */
export const PointInTime = Type.Object({
  position: Type.Integer({ description: 'Everything up to here is in it; 0: the empty ledger' }),
  time: nullableText('ISO 8601, of the event at the position'),
});
export type PointInTime = Static<typeof PointInTime>;

/** A player as lists name him: under the nickname of now. */
export const PlayerRef = Type.Object({
  wallet: Type.String(),
  public_id: Type.String(),
  nickname: nullableText(),
});
export type PlayerRef = Static<typeof PlayerRef>;

export const RoleName = Type.Unsafe<Role>({ type: 'string', enum: [...ROLES] });

export const Wallet = Type.String({
  pattern: '^[1-9A-HJ-NP-Za-km-z]{32,44}$',
  description: 'Address of a Solana wallet',
});

/** Why an operator does it: stands in the event. */
export const Reason = Type.String({
  minLength: 1,
  maxLength: REASON_MAX_LENGTH,
  description: 'Why; it stands in the event',
});

export const ReasonBody = closed({ reason: Reason });

/** What an act left behind: where in the ledger it stands. */
export const Done = Type.Object({ position: Position });
export type Done = Static<typeof Done>;

/** What is proposed has a number instead of an effect. */
export const ProposalNumber = nullableInteger(
  'Its number when it waits for a second person; null: it is done',
);

export const RoleDone = Type.Object({ position: Position, proposal: ProposalNumber });

export const WalletParams = Type.Object({ wallet: Wallet });

export const Id = Type.String({ pattern: '^[\\w-]{1,64}$' });
