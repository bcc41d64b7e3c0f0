import type { ReactNode } from 'react';
import { Amount, PlayerLink, PositionChip, TypeTag } from '../../components/chips.tsx';
import type { Column } from '../../components/data-table.tsx';
import { Sentence } from '../../components/sentence.tsx';
import { Time } from '../../components/time.tsx';
import { signedText } from '../../lib/amounts.ts';
import { readFilter, withToken } from '../../lib/filter.ts';
import { useTexts } from '../../lib/texts.ts';
import { useFilter } from '../../lib/use-filter.ts';
import type { Entry } from './data.ts';

type ColumnName = 'position' | 'time' | 'type' | 'player' | 'what' | 'amount';

/** The columns of the explorer; their titles are `explorer.column.<name>`. */
export function columnsOf(titleOf: (name: ColumnName) => string): Column<Entry>[] {
  const plain = (name: ColumnName, cell: Column<Entry>['cell'], meta: Column<Entry>['meta'] = {}) =>
    ({ id: name, header: titleOf(name), cell, meta }) as Column<Entry>;
  return [
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
}

/** A value that adds its tokens to the filter when it is pressed. */
function FilterCell({ token, children }: { token: string; children: ReactNode }) {
  const { t } = useTexts();
  const [tokens, setTokens] = useFilter();
  return (
    <button
      type="button"
      className="hover:underline"
      title={t('explorer.filterBy', { token })}
      onClick={() => setTokens(readFilter(token).reduce(withToken, tokens))}
    >
      {children}
    </button>
  );
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
