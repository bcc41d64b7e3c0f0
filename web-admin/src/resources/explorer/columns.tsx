import type { ReactNode } from 'react';
import { Amount, PlayerLink, PositionChip, TypeTag } from '../../components/chips.tsx';
import type { Column } from '../../components/data-table.tsx';
import { EventSentence } from '../../components/sentence.tsx';
import { Time } from '../../components/time.tsx';
import { signedText } from '../../lib/amounts.ts';
import { readFilter, useFilter, withToken } from '../../lib/filter.ts';
import type { Entry } from './data.ts';

const TITLES = {
  position: 'Position',
  time: 'Time (UTC)',
  type: 'Type',
  player: 'Player',
  what: 'Description',
  amount: 'Amount',
};
type ColumnName = keyof typeof TITLES;

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
];

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
