import { type EventType, isEventType, STREAM_KINDS } from '@reelbook/ledger/event-types';
import { AMOUNT_MAX_MINOR, type Asset } from '@reelbook/ledger/money';
import { type StreamKind, WALLET_PATTERN } from '@reelbook/ledger/streams';
import { isPlainText } from '@reelbook/ledger/text';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { LINES, type Line } from './projection.ts';
import { numbersOf, TYPE_NUMBERS } from './type-numbers.ts';

/** The accounts that are not a player's. */
export const HOUSE_ACCOUNTS = LINES.filter((line) => line !== 'players');
export type HouseAccount = Exclude<Line, 'players'>;

export const isHouseAccount = (account: string): account is HouseAccount =>
  (HOUSE_ACCOUNTS as readonly string[]).includes(account);

/** The types of events that move each account, by asset. */
export const MOVED_BY: Readonly<
  Record<HouseAccount, Readonly<Record<Asset, readonly EventType[]>>>
> = {
  house: {
    points: ['BetPlaced', 'BetWon', 'BetVoided', 'WelcomeGranted', 'Exchanged', 'BalanceAdjusted'],
    token: ['Exchanged', 'BalanceAdjusted', 'UnmatchedDepositResolved'],
  },
  fees: { points: [], token: ['WithdrawalRequested', 'WithdrawalReleased'] },
  withdrawals: {
    points: [],
    token: ['WithdrawalRequested', 'WithdrawalReleased', 'WithdrawalFinalized'],
  },
  unmatched: {
    points: [],
    token: ['UnmatchedDepositSeen', 'UnmatchedDepositResolved', 'DepositCredited'],
  },
  chain: { points: [], token: ['UnmatchedDepositSeen', 'DepositCredited', 'WithdrawalFinalized'] },
};

type Condition = RawBuilder<SqlBool>;

/** The conditions on `entries_v1 as e` of events that moved an account; null: none can. */
export function movedAccount(
  account: HouseAccount,
  asset: Asset | undefined,
): readonly Condition[] | null {
  const { points, token } = MOVED_BY[account];
  const types = asset ? MOVED_BY[account][asset] : [...new Set([...points, ...token])];
  if (types.length === 0) return null;
  const conditions = [sql<SqlBool>`e.type in (${sql.raw(numbersOf(types))})`];
  // The same expression as in the index.
  if (types.every((type) => TYPE_NUMBERS[type] > 3)) conditions.push(sql`e.type > 3`);
  if (account === 'house' && asset) {
    const moved = sql`${sql.ref(`e.${asset}`)} is not null`;
    conditions.push(sql`(${is('UnmatchedDepositResolved')} or ${moved})`);
  }
  // Some of these types move an account or another.
  if (types.includes('UnmatchedDepositResolved')) {
    conditions.push(sql`(not ${is('UnmatchedDepositResolved')} or ${dataOf('to')} = 'house')`);
  }
  if (types.includes('DepositCredited')) {
    conditions.push(sql`(not ${is('DepositCredited')} or ${dataOf('from')} = ${account})`);
  }
  if (account === 'unmatched') {
    // By the index of signatures: the deposits of players are far more.
    conditions.push(sql`(not ${is('DepositCredited')} or exists (
      select from projections.entries_v1 as seen where seen.signature = e.signature
        and seen.type = ${sql.lit(TYPE_NUMBERS.UnmatchedDepositSeen)}))`);
  }
  return conditions;
}

const is = (type: EventType) => sql`e.type = ${sql.lit(TYPE_NUMBERS[type])}`;

const dataOf = (field: string) => sql`(select event.body->'data'->>${sql.lit(field)}
  from public.events as event where event.position = e.position)`;

/** An event must match all given parts. */
export interface ExplorerFilter {
  /** Any of these. */
  readonly types?: readonly EventType[] | undefined;
  readonly kind?: StreamKind | undefined;
  readonly wallet?: string | undefined;
  readonly publicId?: string | undefined;
  /** Events that gave the player this asset, or took it. */
  readonly asset?: Asset | undefined;
  /** With `asset`: whether the player was given it or lost it. */
  readonly direction?: 'credit' | 'debit' | undefined;
  /** Events that moved this account, which is not a player's; with `asset`, in this asset. */
  readonly account?: HouseAccount | undefined;
  /**
   * The amount of `asset` given or taken, without its sign; bounds included. Without an asset: of either one, in 10^-9 units
   * of both.
   */
  readonly amount?: { readonly minMinor?: bigint; readonly maxMinor?: bigint } | undefined;
  /** ISO 8601; `from` is included, `to` is not. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Both included. */
  readonly fromPosition?: number | undefined;
  readonly toPosition?: number | undefined;
  readonly game?: string | undefined;
  readonly round?: string | undefined;
  readonly rules?: string | undefined;
  readonly correlation?: string | undefined;
  readonly command?: string | undefined;
  /** `player:<wallet>`, `operator:<wallet>` or `system:<part>`. */
  readonly actor?: string | undefined;
  /** Of a transaction on the chain, in base58. */
  readonly signature?: string | undefined;
  readonly withdrawal?: string | undefined;
  /** Of the event itself, 64 hex digits. */
  readonly hash?: string | undefined;
}

/** A query that cannot be answered; the message states why to its author. */
export class Unanswerable extends Error {
  override name = 'Unanswerable';
}

const TEXT_LENGTH_MAX = 200;
const COMMAND_PATTERN = /^[0-9a-f]{32}$/;
const HASH_PATTERN = /^[0-9a-f]{64}$/;
const SIGNATURE_PATTERN = /^[1-9A-HJ-NP-Za-km-z]{32,100}$/;
const TIME_PATTERN = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-](0\d|1[0-5]):\d\d))?$/;

const ASSETS: Readonly<Record<Asset, true>> = { points: true, token: true };

type Checks = { readonly [K in keyof Required<ExplorerFilter>]: (value: never) => boolean };

/** The valid values of each part of a filter. Any other part is refused. */
const CHECKS: Checks = {
  types: (types: readonly string[]) =>
    Array.isArray(types) && types.length > 0 && types.every(isEventType),
  kind: (kind: StreamKind) => STREAM_KINDS.includes(kind),
  wallet: (wallet: string) => WALLET_PATTERN.test(wallet),
  publicId: isText,
  asset: (asset: string) => asset in ASSETS,
  direction: (direction: string) => direction === 'credit' || direction === 'debit',
  account: isHouseAccount,
  amount: ({ minMinor, maxMinor }: NonNullable<ExplorerFilter['amount']>) =>
    (minMinor !== undefined || maxMinor !== undefined) &&
    isAmount(minMinor) &&
    isAmount(maxMinor) &&
    (minMinor ?? 0n) <= (maxMinor ?? AMOUNT_MAX_MINOR),
  from: isTime,
  to: isTime,
  fromPosition: isPosition,
  toPosition: isPosition,
  game: isText,
  round: isText,
  rules: isText,
  correlation: isText,
  command: (command: string) => COMMAND_PATTERN.test(command),
  signature: (signature: string) => SIGNATURE_PATTERN.test(signature),
  withdrawal: isText,
  hash: (hash: string) => HASH_PATTERN.test(hash),
  actor: (actor: string) => isText(actor) && /^(player|operator|system):./.test(actor),
};

/** Throws `Unanswerable` at the first invalid or unknown part. */
export function checkFilter(filter: ExplorerFilter): void {
  for (const [part, value] of Object.entries(filter)) {
    if (value === undefined) continue;
    const check = Object.hasOwn(CHECKS, part) ? CHECKS[part as keyof Checks] : null;
    if (!check) throw new Unanswerable(`unknown filter ${part}`);
    if (!check(value as never)) throw new Unanswerable(`invalid value for ${part}`);
  }
  const { amount, asset, direction, account, wallet, publicId, from, to } = filter;
  if (direction && !asset && !amount) throw new Unanswerable('a direction needs an asset');
  if (account && (amount || direction)) {
    throw new Unanswerable('amounts and directions are of players, not of an account');
  }
  if (wallet && publicId) throw new Unanswerable('name the wallet or the public id, not both');
  if (from && to && Date.parse(from) >= Date.parse(to)) {
    throw new Unanswerable('from must be before to');
  }
  const { fromPosition, toPosition } = filter;
  if (fromPosition && toPosition && fromPosition > toPosition) {
    throw new Unanswerable('fromPosition is after toPosition');
  }
}

function isText(text: string): boolean {
  return (
    typeof text === 'string' &&
    text.length > 0 &&
    text.length <= TEXT_LENGTH_MAX &&
    isPlainText(text)
  );
}

export function isTime(text: string): boolean {
  if (!TIME_PATTERN.test(text) || Number.isNaN(Date.parse(text))) return false;
  // Postgres has no year before 1, and no February 30, which JavaScript turns into a day of March.
  const day = text.slice(0, 10);
  return day > '0001-01-01' && new Date(Date.parse(day)).toISOString().startsWith(day);
}

function isPosition(position: number): boolean {
  return Number.isSafeInteger(position) && position >= 1;
}

function isAmount(amountMinor: bigint | undefined): boolean {
  if (amountMinor === undefined) return true;
  return typeof amountMinor === 'bigint' && amountMinor >= 0n && amountMinor <= AMOUNT_MAX_MINOR;
}
