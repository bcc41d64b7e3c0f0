import type { AdminData } from '@reelbook/contract/admin/routes';
import { Empty } from '@reelbook/web/components/states';
import { useQuery } from '@tanstack/react-query';
import { Amount, FilterLink, PlayerLink } from '../../components/chips.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { useEventColumns } from '../../components/event-columns.tsx';
import { Loaded } from '../../components/loading.tsx';
import { Panel } from '../../components/panel.tsx';
import { read } from '../../lib/queries.ts';
import { useTexts } from '../../lib/texts.ts';
import type { Interval } from './interval.tsx';

type Win = AdminData<'largeWins'>['wins'][number];

/** Large wins, newest first. */
export function LargeWins({ interval }: { interval: Interval }) {
  const { t } = useTexts();
  const events = useEventColumns();
  const query = useQuery(read('largeWins', { query: { ...interval } }));
  const columns: Column<Win>[] = [
    events.position(),
    events.time(),
    {
      id: 'player',
      header: t('explorer.column.player'),
      cell: ({ row }) => <PlayerLink {...row.original.player} />,
    },
    {
      id: 'round',
      header: t('round.game'),
      cell: ({ row }) => (
        <span>
          {row.original.game}{' '}
          <FilterLink token={`round:${row.original.round}`}>{row.original.round}</FilterLink>
        </span>
      ),
    },
    {
      id: 'payout',
      header: t('round.payout'),
      cell: ({ row }) => <Amount amount={row.original.payout} signed />,
      meta: { end: true, phone: 'end' },
    },
  ];
  return (
    <Panel flush title={t('games.largeWins')} aside={t('games.largeFrom')}>
      <Loaded query={query}>
        {({ wins }) =>
          wins.length === 0 ? (
            <Empty>{t('games.noLargeWins')}</Empty>
          ) : (
            <DataTable
              label={t('games.largeWins')}
              rows={wins}
              columns={columns}
              idOf={({ position }) => String(position)}
            />
          )
        }
      </Loaded>
    </Panel>
  );
}
