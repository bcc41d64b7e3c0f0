import type { EventType } from '@reelbook/ledger/event-types';
import type { Asset } from '@reelbook/ledger/money';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { LINES, type Line } from './fold.ts';
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
