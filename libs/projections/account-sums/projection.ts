import { type EventType, postings } from '@reelbook/ledger/event-types';
import type { AnyEvent, RecordedEvent } from '@reelbook/ledger/events';
import type { Asset } from '@reelbook/ledger/money';
import { parseStream } from '@reelbook/ledger/streams';
import type pg from 'pg';
import { assertReached, changeRows, type Db, type Projection } from '../projection.ts';

const TABLES = `
-- Cumulative sums of each account by kind of movement, at the end of each block of 1,000 positions in which that kind moved
-- it. Of a player's account only the kinds that both credit and debit it: sums by type alone are in the entries.
create table if not exists account_sums_v1 (
  -- As in postings, and fees-earned: the fees of paid withdrawals, which are final.
  account text not null,
  asset text not null,
  type text not null,
  -- Empty for an event without a game.
  game text not null,
  credit boolean not null,
  block bigint not null,
  events bigint not null,
  minor numeric not null,
  primary key (account, asset, type, game, credit, block)
);
`;

export const accountSums: Projection<readonly AccountSum[]> = {
  name: 'account-sums',
  version: 1,
  tables: [
    { name: 'account_sums_v1', key: ['account', 'asset', 'type', 'game', 'credit', 'block'] },
  ],
  tableSql: TABLES,
  fold,
  apply,
};

/** Positions of one row. Part of the table's meaning: a change needs a new version. */
export const SUMS_POSITIONS = 1_000;

/** An account of this table only: the fees of paid withdrawals. Those of open ones may still be returned. */
export const FEES_EARNED = 'fees-earned';

/** Types that credit some players and debit others. */
export const TWO_WAY: ReadonlySet<EventType> = new Set<EventType>(['Exchanged', 'BalanceAdjusted']);

/** A kind of movement of an account. */
export interface Kind {
  readonly type: EventType;
  /** Empty for an event without a game. */
  readonly game: string;
  readonly credit: boolean;
}

/** What one event moved on an account, of one kind, signed. */
export interface Movement extends Kind {
  readonly account: string;
  readonly asset: Asset;
  readonly minor: bigint;
}

/** What the batch moved within one block. */
export interface AccountSum extends Movement {
  readonly block: number;
  readonly events: number;
}

function fold(events: readonly RecordedEvent[]): readonly AccountSum[] {
  const sums = new Map<string, AccountSum>();
  for (const { event, stream, position } of events) {
    const block = blockOf(position);
    for (const one of movementsOf(event, parseStream(stream).id)) {
      if (one.account.startsWith('player:') && !TWO_WAY.has(one.type)) continue;
      const key = `${one.account} ${one.asset} ${keyOf(one)} ${block}`;
      const before = sums.get(key) ?? { events: 0, minor: 0n };
      sums.set(key, { ...one, block, events: before.events + 1, minor: before.minor + one.minor });
    }
  }
  return [...sums.values()];
}

/** The first block begins with position 1. */
export function blockOf(position: number): number {
  return Math.floor((position - 1) / SUMS_POSITIONS);
}

export const keyOf = ({ type, game, credit }: Kind) => `${type} ${game} ${credit}`;

/** The movements of one event other than 0, one for each account, asset and direction. Throws at a type that is not listed. */
export function movementsOf(event: AnyEvent, owner: string): readonly Movement[] {
  const { type, data } = event;
  const kind = { type, game: 'game' in data ? data.game : '' };
  const found = new Map<string, Movement>();
  for (const { account, asset, deltaMinor } of postings(event, owner)) {
    if (deltaMinor === 0n) continue;
    const credit = deltaMinor > 0n;
    const key = `${account} ${asset} ${credit}`;
    const minor = (found.get(key)?.minor ?? 0n) + deltaMinor;
    found.set(key, { ...kind, account, asset, credit, minor });
  }
  if (event.type === 'WithdrawalFinalized' && event.data.feeMinor > 0n) {
    const { feeMinor: minor } = event.data;
    const earned = { ...kind, account: FEES_EARNED, asset: 'token', credit: true, minor } as const;
    found.set(FEES_EARNED, earned);
  }
  return [...found.values()];
}

async function apply(client: pg.ClientBase, changes: readonly AccountSum[]): Promise<void> {
  await changeRows(client, { name: 'apply-account-sums', text: UPSERT }, changes);
}

/** Each kind continues from its last row, which may be of the block that the batch begins in. */
const UPSERT = `
  insert into account_sums_v1 (account, asset, type, game, credit, block, events, minor)
  select new.account, new.asset, new.type, new.game, new.credit, new.block,
    coalesce(last.events, 0) + sum(new.events) over kind,
    coalesce(last.minor, 0) + sum(new.minor) over kind
  from json_to_recordset($1) as new(account text, asset text, type text, game text, credit boolean,
    block bigint, events bigint, minor numeric)
  left join lateral (
    select events, minor from account_sums_v1 as old
    where old.account = new.account and old.asset = new.asset and old.type = new.type
      and old.game = new.game and old.credit = new.credit
    order by block desc limit 1) as last on true
  window kind as (partition by new.account, new.asset, new.type, new.game, new.credit
    order by new.block)
  on conflict (account, asset, type, game, credit, block) do update
    set events = excluded.events, minor = excluded.minor`;

/** The events of one kind up to a position, and what they moved, signed. */
export interface KindSum extends Kind {
  readonly events: number;
  readonly minor: bigint;
}

/**
 * The sums of an account over the first `blocks` blocks: one lookup for each kind that ever moved it. Throws
 * `PositionNotReached`.
 */
export async function readAccountSums(
  db: Db,
  options: { readonly account: string; readonly asset: Asset; readonly blocks: number },
): Promise<readonly KindSum[]> {
  const { account, asset, blocks } = options;
  if (blocks === 0) return [];
  await assertReached(db, accountSums, blocks * SUMS_POSITIONS);
  const { rows } = await db.query<{
    type: EventType;
    game: string;
    credit: boolean;
    events: number;
    minor: string;
  }>({ name: 'read-account-sums', text: SUMS, values: [account, asset, blocks] });
  return rows.map(({ minor, ...one }) => ({ ...one, minor: BigInt(minor) }));
}

/** SQL: the kinds are found by skipping through the key, since the rows of one kind are many. */
const SUMS = `
  with recursive kinds as (
    (select type, game, credit from projections.account_sums_v1
      where account = $1 and asset = $2 order by type, game, credit limit 1)
    union all
    select next.* from kinds, lateral (
      select type, game, credit from projections.account_sums_v1 as one
      where account = $1 and asset = $2
        and (one.type, one.game, one.credit) > (kinds.type, kinds.game, kinds.credit)
      order by type, game, credit limit 1) as next
  )
  select kinds.type, kinds.game, kinds.credit, last.events, last.minor::text as minor
  from kinds, lateral (
    select events, minor from projections.account_sums_v1 as held
    where account = $1 and asset = $2 and held.type = kinds.type and held.game = kinds.game
      and held.credit = kinds.credit and block < $3
    order by block desc limit 1) as last`;
