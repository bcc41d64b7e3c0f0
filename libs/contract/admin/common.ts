import type { ChangedValue } from '@reelbook/ledger/config/edit';
import type { HoldCode } from '@reelbook/ledger/holds';
import type { Asset } from '@reelbook/ledger/money';
import { ROLES, type Role } from '@reelbook/ledger/operators/roles';
import { REASON_MAX_LENGTH } from '@reelbook/ledger/text';
import { type Static, type TProperties, Type } from 'typebox';
import { closed, KeyHeaders, oneOf } from '../common.ts';

const TEXT_LENGTH_MAX = 200;

/** Maximum rows on one page of any list. */
const ROWS_MAX = 200;

export const ASSETS = ['points', 'token'] as const satisfies readonly Asset[];

/** Exact amount: signed minor units (1/100 point, 10^-9 BSM) as decimal text. */
export const Amount = Type.Object({
  asset: oneOf(ASSETS),
  minor: Type.Unsafe<string>({
    type: 'string',
    pattern: '^-?\\d{1,40}$',
    description: 'Signed minor units as decimal text: 1/100 point, 10^-9 BSM',
  }),
});
export type Amount = Static<typeof Amount>;

/**
 * A value to fill into a localised text: a string or count, an exact amount, a `name`, a `term` of the ledger, the end
 * of a period (`until`; null: no end), the reason why the cashier waits (`hold`), or values of the configuration (`changes`).
 */
export type Fact =
  | string
  | number
  | Amount
  | { readonly name: string }
  | { readonly term: string }
  | { readonly until: string | null }
  | { readonly hold: Hold }
  | { readonly changes: readonly ChangedValue[] };

/** Why the cashier does not process a withdrawal. Clients localise it by code and facts. */
export interface Hold {
  readonly code: HoldCode;
  readonly facts: Readonly<Record<string, Fact>>;
  /** In English. */
  readonly text: string;
}

/** No control characters: Postgres rejects NUL. */
export const PLAIN = '^[^\\u0000-\\u001f\\u007f]+$';

/** A text parameter of a query. One that has only digits arrives as a number. */
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

const AT =
  'Position, or ISO 8601 time (selects the last position at or before it); default: the latest position';

export const At = QueryText(AT);

export const Limit = (byDefault: number, max = ROWS_MAX) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: max, default: byDefault }));

/** A position as a page cursor. */
export const Cursor = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description }));

export const RoleName = Type.Unsafe<Role>({ type: 'string', enum: [...ROLES] });

export const Wallet = Type.String({
  pattern: '^[1-9A-HJ-NP-Za-km-z]{32,44}$',
  description: 'Solana wallet address, base58',
});

const Reason = Type.String({
  minLength: 1,
  maxLength: REASON_MAX_LENGTH,
  description: `Reason for the action, at most ${REASON_MAX_LENGTH} characters; recorded in the event`,
});

/** Headers and body of an operator's action: the idempotency key, and its fields with the reason. */
export const actionWith = <Fields extends TProperties>(fields: Fields) => ({
  headers: KeyHeaders,
  body: closed({ ...fields, reason: Reason }),
});

export const plainAction = actionWith({});

export const WalletParams = Type.Object({ wallet: Wallet });

export const Id = Type.String({ pattern: '^[\\w-]{1,64}$' });
