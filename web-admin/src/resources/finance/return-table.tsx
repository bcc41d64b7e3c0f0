import { Badge } from '@reelbook/web/components/badge';
import { Empty } from '@reelbook/web/components/states';
import { formatInteger } from '@reelbook/web/format';
import { Amount, FilterLink } from '../../components/chips.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { percentText } from '../../lib/shares.ts';
import { useTexts } from '../../lib/texts.ts';
import type { ReturnRow } from './data.ts';

const share = (value: number | null) => (
  <span className="whitespace-nowrap font-mono">{value === null ? '—' : percentText(value)}</span>
);

/** Actual and theoretical return, and whether the actual one is in its exact band. */
export function ReturnTable(props: { rows: readonly ReturnRow[]; confidence?: number }) {
  const { rows, confidence } = props;
  const { t } = useTexts();
  const columns = useReturnColumns();
  if (rows.every(({ rounds }) => rounds === 0)) return <Empty>{t('report.noActivity')}</Empty>;
  return (
    <>
      <DataTable
        label={t('games.byRules')}
        rows={rows}
        columns={columns}
        idOf={({ game, rules }) => `${game}/${rules}`}
        isBad={({ inside }) => inside === false}
      />
      {confidence !== undefined && (
        <p className="border-line border-t px-4 py-2 text-fg-3 text-xs">
          {t('games.band', { confidence: (confidence * 100).toFixed(1) })}
        </p>
      )}
    </>
  );
}

export function useReturnColumns<Row extends ReturnRow>(): Column<Row>[] {
  const { t } = useTexts();
  const end = { end: true };
  return [
    {
      id: 'game',
      header: t('round.game'),
      cell: ({ row }) => (
        <span>
          {row.original.title}{' '}
          <FilterLink token={`rules:${row.original.rules}`}>{row.original.rules}</FilterLink>
        </span>
      ),
      meta: { phone: 'lead' },
    },
    {
      id: 'rounds',
      header: t('games.rounds'),
      cell: ({ row }) => <span className="font-mono">{formatInteger(row.original.rounds)}</span>,
      meta: end,
    },
    {
      id: 'staked',
      header: t('games.staked'),
      cell: ({ row }) => <Amount amount={row.original.staked} unit={false} />,
      meta: end,
    },
    {
      id: 'paid',
      header: t('games.paid'),
      cell: ({ row }) => <Amount amount={row.original.paid} unit={false} />,
      meta: end,
    },
    {
      id: 'ggr',
      header: t('games.ggrShort'),
      cell: ({ row }) => <Amount amount={row.original.ggr} signed unit={false} />,
      meta: end,
    },
    {
      id: 'actual',
      header: t('games.actual'),
      cell: ({ row }) => share(row.original.actual),
      meta: end,
    },
    {
      id: 'theoretical',
      header: t('games.theoretical'),
      cell: ({ row }) => share(row.original.theoretical),
      meta: end,
    },
    {
      id: 'band',
      header: t('games.bandShort'),
      cell: ({ row }) => (
        <span className="whitespace-nowrap font-mono text-fg-2">
          {row.original.low === null || row.original.high === null
            ? '—'
            : `${percentText(row.original.low)} – ${percentText(row.original.high)}`}
        </span>
      ),
      meta: end,
    },
    {
      id: 'inside',
      header: t('games.verdict'),
      cell: ({ row }) =>
        row.original.inside === null ? null : (
          <Badge tone={row.original.inside ? 'good' : 'bad'}>
            {t(row.original.inside ? 'games.inside' : 'games.outside')}
          </Badge>
        ),
      meta: { end: true, phone: 'end' },
    },
  ];
}
