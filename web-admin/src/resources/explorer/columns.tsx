import { formatInteger } from '@reelbook/web/format';
import { deviceStorage, readJson } from '@reelbook/web/storage';
import type { VisibilityState } from '@tanstack/react-table';
import { useState } from 'react';
import { Actor, Amount, PlayerLink, PositionChip, TypeTag } from '../../components/chips.tsx';
import type { Column } from '../../components/data-table.tsx';
import { Sentence } from '../../components/sentence.tsx';
import { useTexts } from '../../lib/texts.ts';
import { timeText } from '../../lib/times.ts';
import type { Entry } from './data.ts';

const COLUMNS = [
  'position',
  'time',
  'type',
  'player',
  'what',
  'amount',
  'actor',
  'version',
  'rules',
  'correlation',
  'command',
] as const;
export type ColumnName = (typeof COLUMNS)[number];

const KEY = 'explorer_columns';
const DEFAULT_VISIBILITY: VisibilityState = {
  actor: false,
  version: false,
  rules: false,
  correlation: false,
  command: false,
};

/** The columns of the explorer; their titles are `explorer.column.<name>`. */
export function columnsOf(titleOf: (name: ColumnName) => string): Column<Entry>[] {
  const plain = (name: ColumnName, cell: Column<Entry>['cell'], meta: Column<Entry>['meta'] = {}) =>
    ({ id: name, header: titleOf(name), cell, meta }) as Column<Entry>;
  return [
    plain('position', ({ row }) => <PositionChip position={row.original.position} />, {
      phone: 'lead',
    }),
    plain('time', ({ row }) => <Mono>{timeText(row.original.time)}</Mono>),
    plain('type', ({ row }) => <TypeTag type={row.original.type} />, { phone: 'lead' }),
    plain('player', ({ row }) => row.original.player && <PlayerLink {...row.original.player} />),
    plain('what', ({ row }) => <Description entry={row.original} />),
    plain(
      'amount',
      ({ row }) => (
        <span className="inline-flex flex-wrap justify-end gap-x-3">
          {row.original.amounts.map((amount) => (
            <Amount key={amount.asset} amount={amount} signed />
          ))}
        </span>
      ),
      { end: true, phone: 'end' },
    ),
    plain('actor', ({ row }) => <Actor actor={row.original.actor} />, { phone: 'hide' }),
    plain('version', ({ row }) => <Mono>{formatInteger(row.original.version)}</Mono>, {
      end: true,
      phone: 'hide',
    }),
    plain('rules', ({ row }) => <Mono>{row.original.rules}</Mono>, { phone: 'hide' }),
    plain('correlation', ({ row }) => <Mono>{row.original.correlation}</Mono>, { phone: 'hide' }),
    plain('command', ({ row }) => <Mono>{row.original.command}</Mono>, { phone: 'hide' }),
  ];
}

function Mono({ children }: { children: string | null }) {
  return <span className="whitespace-nowrap font-mono text-fg-2 text-xs">{children}</span>;
}

/** What happened, and the short ids of its round, withdrawal and transaction. */
function Description({ entry }: { entry: Entry }) {
  const { t } = useTexts();
  const { type, facts, what, round, withdrawal, signature } = entry;
  const ids = [
    round && t('explorer.round', { round: round.split(':').at(-1) }),
    withdrawal && t('explorer.withdrawal', { id: withdrawal.split(':').at(-1) }),
    signature && `${signature.slice(0, 6)}…`,
  ].filter(Boolean);
  return (
    <span className="block text-fg-2 text-xs md:min-w-56">
      <Sentence of={`sentence.${type}`} facts={facts} text={what} />
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
  const { t } = useTexts();
  return (
    <details className="menu hidden md:block">
      <summary>{t('explorer.columns')}</summary>
      <div className="menu-list">
        {COLUMNS.filter((name) => name !== 'position').map((name) => (
          <label key={name} className="flex min-h-9 items-center gap-2.5 px-3 text-sm">
            <input
              type="checkbox"
              checked={visibility[name] !== false}
              onChange={(event) => onChange({ ...visibility, [name]: event.target.checked })}
            />
            {t(`explorer.column.${name}`)}
          </label>
        ))}
      </div>
    </details>
  );
}
