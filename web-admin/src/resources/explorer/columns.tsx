import { formatInteger } from '@reelbook/web/format';
import { deviceStorage, readJson } from '@reelbook/web/storage';
import type { VisibilityState } from '@tanstack/react-table';
import { type ReactNode, useState } from 'react';
import { Actor, Amount, PlayerLink, PositionChip, TypeTag } from '../../components/chips.tsx';
import type { Column } from '../../components/data-table.tsx';
import { EventSentence } from '../../components/sentence.tsx';
import { Time } from '../../components/time.tsx';
import { signedText } from '../../lib/amounts.ts';
import { readFilter, type TokenKey, withToken } from '../../lib/filter.ts';
import { useFilter } from '../../lib/use-filter.ts';
import type { Entry } from './data.ts';

const TITLES = {
  position: 'Position',
  time: 'Time (UTC)',
  type: 'Type',
  player: 'Player',
  what: 'Description',
  amount: 'Amount',
  actor: 'Actor',
  version: 'Version',
  rules: 'Rules',
  correlation: 'Request',
  command: 'Command',
};
type ColumnName = keyof typeof TITLES;

const KEY = 'explorer_columns';
const DEFAULT_VISIBILITY: VisibilityState = {
  actor: false,
  version: false,
  rules: false,
  correlation: false,
  command: false,
};

const plain = (name: ColumnName, cell: Column<Entry>['cell'], meta: Column<Entry>['meta'] = {}) =>
  ({ id: name, header: TITLES[name], cell, meta }) as Column<Entry>;

export const columns: Column<Entry>[] = [
  plain('position', ({ row }) => <PositionChip position={row.original.position} />, {
    phone: 'lead',
  }),
  plain('time', ({ row }) => (
    <span className="text-fg-2 text-xs">
      <Time iso={row.original.time} />
    </span>
  )),
  plain(
    'type',
    ({ row }) => (
      <FilterCell token={`type:${row.original.type}`}>
        <TypeTag type={row.original.type} />
      </FilterCell>
    ),
    { phone: 'lead' },
  ),
  plain('player', ({ row }) => row.original.player && <PlayerLink {...row.original.player} />),
  plain('what', ({ row }) => <Description entry={row.original} />),
  plain(
    'amount',
    ({ row }) => (
      <span className="inline-flex flex-wrap justify-end gap-x-3">
        {row.original.amounts.map((amount) => (
          <FilterCell
            key={amount.asset}
            token={`asset:${amount.asset} amount=${signedText(amount).slice(1)}`}
          >
            <Amount amount={amount} signed />
          </FilterCell>
        ))}
      </span>
    ),
    { end: true, phone: 'end' },
  ),
  plain(
    'actor',
    ({ row }) => (
      <FilterCell token={`actor:${row.original.actor}`}>
        <Actor actor={row.original.actor} />
      </FilterCell>
    ),
    { phone: 'hide' },
  ),
  plain('version', ({ row }) => <Mono>{formatInteger(row.original.version)}</Mono>, {
    end: true,
    phone: 'hide',
  }),
  plain('rules', ({ row }) => <IdCell name="rules" value={row.original.rules} />, {
    phone: 'hide',
  }),
  plain(
    'correlation',
    ({ row }) => <IdCell name="correlation" value={row.original.correlation} />,
    {
      phone: 'hide',
    },
  ),
  plain('command', ({ row }) => <IdCell name="command" value={row.original.command} />, {
    phone: 'hide',
  }),
];

function Mono({ children }: { children: string | null }) {
  return <span className="whitespace-nowrap font-mono text-fg-2 text-xs">{children}</span>;
}

/** A value that adds its tokens to the filter when it is pressed. */
function FilterCell({ token, children }: { token: string; children: ReactNode }) {
  const [tokens, setTokens] = useFilter();
  return (
    <button
      type="button"
      className="hover:underline"
      title={`Filter by ${token}`}
      onClick={() => setTokens(readFilter(token).reduce(withToken, tokens))}
    >
      {children}
    </button>
  );
}

function IdCell({ name, value }: { name: TokenKey; value: string | null }) {
  if (!value) return null;
  return (
    <FilterCell token={`${name}:${value}`}>
      <Mono>{value}</Mono>
    </FilterCell>
  );
}

/** What happened, and the short ids of its round, withdrawal and transaction. */
function Description({ entry }: { entry: Entry }) {
  const { type, facts, what, round, withdrawal, signature } = entry;
  const ids = [
    round && `round ${round.slice(round.lastIndexOf(':') + 1)}`,
    withdrawal && `withdrawal ${withdrawal.slice(withdrawal.lastIndexOf(':') + 1)}`,
    signature && `${signature.slice(0, 6)}…`,
  ].filter(Boolean);
  return (
    <span className="block text-fg-2 text-xs md:min-w-56">
      <EventSentence type={type} facts={facts} text={what} />
      {ids.length > 0 && <span className="ml-2 font-mono text-fg-3">{ids.join(' · ')}</span>}
    </span>
  );
}

/** The visible columns, stored on this device. */
export function useColumns() {
  const [visibility, setVisibility] = useState<VisibilityState>(
    () => readJson(deviceStorage, KEY, isVisibility) ?? DEFAULT_VISIBILITY,
  );
  const change = (next: VisibilityState) => {
    deviceStorage.set(KEY, JSON.stringify(next));
    setVisibility(next);
  };
  return [visibility, change] as const;
}

function isVisibility(value: unknown): value is VisibilityState {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function ColumnMenu(props: {
  visibility: VisibilityState;
  onChange(visibility: VisibilityState): void;
}) {
  const { visibility, onChange } = props;
  return (
    <details className="menu hidden md:block">
      <summary>Columns</summary>
      <div className="menu-list">
        {(Object.keys(TITLES) as ColumnName[])
          .filter((name) => name !== 'position')
          .map((name) => (
            <label key={name} className="flex min-h-9 items-center gap-2.5 px-3 text-sm">
              <input
                type="checkbox"
                checked={visibility[name] !== false}
                onChange={(event) => onChange({ ...visibility, [name]: event.target.checked })}
              />
              {TITLES[name]}
            </label>
          ))}
      </div>
    </details>
  );
}
