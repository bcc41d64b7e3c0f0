import type { ExplorerQuery } from '@reelbook/contract/admin/explorer';
import type { EventType } from '@reelbook/ledger/event-types';
import type { Asset } from '@reelbook/ledger/money';
import type { StreamKind } from '@reelbook/ledger/streams';
import { type ExplorerFilter, Unanswerable } from '@reelbook/projections/entries/filter';
import { textOf } from './convert.ts';

type FilterQuery = Omit<ExplorerQuery, 'before' | 'after' | 'limit'>;

/** Converts a query to a filter. Amounts are validated here, other parts where the filter is used. */
export function filterOf(query: FilterQuery): ExplorerFilter {
  const { types, min_minor: min, max_minor: max } = query;
  const amount = {
    ...(min === undefined ? {} : { minMinor: minorOf('min_minor', min) }),
    ...(max === undefined ? {} : { maxMinor: minorOf('max_minor', max) }),
  };
  const filter = {
    types: types === undefined ? undefined : (String(types).split(',') as EventType[]),
    kind: textOf(query.kind) as StreamKind | undefined,
    wallet: textOf(query.wallet),
    publicId: textOf(query.public_id),
    asset: query.asset as Asset | undefined,
    direction: query.direction,
    account: textOf(query.account) as ExplorerFilter['account'],
    amount: Object.keys(amount).length === 0 ? undefined : amount,
    from: textOf(query.from),
    to: textOf(query.to),
    fromPosition: query.from_position,
    toPosition: query.to_position,
    game: textOf(query.game),
    round: textOf(query.round),
    rules: textOf(query.rules),
    correlation: textOf(query.correlation),
    command: textOf(query.command)?.toLowerCase(),
    actor: textOf(query.actor),
    signature: textOf(query.signature),
    withdrawal: textOf(query.withdrawal),
    hash: textOf(query.hash)?.toLowerCase(),
  };
  const given = Object.entries(filter).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as ExplorerFilter;
}

function minorOf(name: string, value: string | number): bigint {
  const text = String(value);
  if (!/^\d{1,19}$/.test(text)) {
    throw new Unanswerable(`${name} must be an integer of minor units, 0 or more`);
  }
  return BigInt(text);
}
