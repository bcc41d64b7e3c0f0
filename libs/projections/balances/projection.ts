import { EVENT_TYPES } from '@reelbook/ledger/event-types';
import type { RecordedEvent } from '@reelbook/ledger/events';
import { balancesAfter } from '@reelbook/ledger/invariants';
import { parseStream } from '@reelbook/ledger/streams';
import type pg from 'pg';
import { changeRows, type Projection } from '../projection.ts';

const TABLES = `
create table if not exists balances_v1 (
  wallet text primary key,
  points numeric not null,
  token numeric not null,
  version bigint not null,
  position bigint not null
);
create index if not exists balances_v1_points on balances_v1 (points desc);
`;

export const balances: Projection<readonly BalanceChange[]> = {
  name: 'balances',
  version: 1,
  tables: [{ name: 'balances_v1', key: ['wallet'] }],
  tableSql: TABLES,
  fold,
  apply,
};

/** One player's state after a batch. Null amounts: the batch moved none of the player's money. */
export interface BalanceChange {
  readonly wallet: string;
  readonly pointsMinor: bigint | null;
  readonly tokenMinor: bigint | null;
  readonly version: number;
  readonly position: number;
}

export function fold(events: readonly RecordedEvent[]): readonly BalanceChange[] {
  const changes = new Map<string, BalanceChange>();
  for (const { event, stream, version, position } of events) {
    if (EVENT_TYPES[event.type] !== 'player') continue;
    const wallet = parseStream(stream).id;
    const { pointsMinor, tokenMinor } = balancesAfter(event) ?? changes.get(wallet) ?? NO_AMOUNTS;
    changes.set(wallet, { wallet, pointsMinor, tokenMinor, version, position });
  }
  return [...changes.values()];
}

const NO_AMOUNTS = { pointsMinor: null, tokenMinor: null };

async function apply(client: pg.ClientBase, changes: readonly BalanceChange[]): Promise<void> {
  await changeRows(client, { name: 'apply-balances', text: UPSERT }, changes);
}

const UPSERT = `
  insert into balances_v1 (wallet, points, token, version, position)
  select new.wallet, coalesce(new."pointsMinor", old.points, 0),
    coalesce(new."tokenMinor", old.token, 0), new.version, new.position
  from json_to_recordset($1) as new(wallet text, "pointsMinor" numeric, "tokenMinor" numeric,
    version bigint, position bigint)
  left join balances_v1 as old on old.wallet = new.wallet
  on conflict (wallet) do update set points = excluded.points, token = excluded.token,
    version = excluded.version, position = excluded.position`;
