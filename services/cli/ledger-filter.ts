import type { EventType } from '@reelbook/ledger/event-types';
import { type Asset, toMinor } from '@reelbook/ledger/money';
import type { StreamKind } from '@reelbook/ledger/streams';
import { type ExplorerFilter, Unanswerable } from '@reelbook/projections/entries/filter';

const text = { type: 'string' } as const;

/** The options of a filter on the command line, for `parseArgs`. */
export const FILTER_OPTIONS = {
  ...{ type: text, kind: text, wallet: text, 'public-id': text, asset: text, min: text, max: text },
  ...{ since: text, before: text, from: text, to: text, game: text, round: text, rules: text },
  ...{ correlation: text, command: text, actor: text, signature: text, withdrawal: text },
} as const;

type Values = { readonly [Name in keyof typeof FILTER_OPTIONS]?: string | undefined };

/** The filter of the options; amounts in units, not minor units. Throws `Unanswerable`. */
export function filterOf(values: Values): ExplorerFilter {
  const { type, kind, wallet, asset, min, max, since, before, from, to } = values;
  const { game, round, rules, correlation, command, actor, signature, withdrawal } = values;
  const amount = {
    ...(min === undefined ? {} : { minMinor: minorOf(asset, min) }),
    ...(max === undefined ? {} : { maxMinor: minorOf(asset, max) }),
  };
  const filter: Readonly<Record<string, unknown>> = {
    types: type?.split(',') as EventType[] | undefined,
    kind: kind as StreamKind | undefined,
    publicId: values['public-id'],
    amount: Object.keys(amount).length === 0 ? undefined : amount,
    fromPosition: from === undefined ? undefined : positionOf('from', from),
    toPosition: to === undefined ? undefined : positionOf('to', to),
    ...{ wallet, asset, from: since, to: before, game, round, rules, correlation, command, actor },
    ...{ signature, withdrawal },
  };
  const set = Object.entries(filter).filter(([, value]) => value !== undefined);
  return Object.fromEntries(set) as ExplorerFilter;
}

function minorOf(asset: string | undefined, amount: string): bigint {
  if (asset !== 'points' && asset !== 'token') {
    throw new Unanswerable('an amount needs an asset: --asset points or --asset token');
  }
  const minor = /^\d+(\.\d+)?$/.test(amount)
    ? toMinor(asset satisfies Asset, Number(amount))
    : null;
  if (minor === null) throw new Unanswerable(`${amount} is not an amount of ${asset}`);
  return minor;
}

function positionOf(name: string, position: string): number {
  if (!/^\d{1,15}$/.test(position)) throw new Unanswerable(`--${name} must be a position`);
  return Number(position);
}
