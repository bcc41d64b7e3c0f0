import type { AdminData } from '@reelbook/contract/admin/routes';
import { Button } from '@reelbook/web/components/button';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { Amount } from '../../components/chips.tsx';
import type { Column } from '../../components/data-table.tsx';
import { useEventColumns } from '../../components/event-columns.tsx';
import { PagedTable } from '../../components/paged-table.tsx';
import { Panel } from '../../components/panel.tsx';
import { api } from '../../lib/api.ts';
import { eventPath } from '../../lib/paths.ts';
import { useHere } from '../../lib/point-in-time.ts';
import { useTexts } from '../../lib/texts.ts';

type Asset = 'points' | 'token';
type Page = AdminData<'statement'>;
type Line = Page['lines'][number];

/** Changes of a balance, newest first, with the balance after each. */
export function Statement({ wallet, at }: { wallet: string; at: number | null }) {
  const { t } = useTexts();
  const [asset, setAsset] = useState<Asset>('points');
  return (
    <Panel
      flush
      title={t('statement.title')}
      aside={(['points', 'token'] as const).map((one) => (
        <Button
          key={one}
          size="small"
          look={one === asset ? 'primary' : 'plain'}
          aria-pressed={one === asset}
          onClick={() => setAsset(one)}
        >
          {one === 'token' ? 'BSM' : t('players.points')}
        </Button>
      ))}
    >
      <Lines key={`${asset}${at}`} wallet={wallet} asset={asset} at={at} />
    </Panel>
  );
}

function Lines({ wallet, asset, at }: { wallet: string; asset: Asset; at: number | null }) {
  const { t } = useTexts();
  const navigate = useNavigate();
  const here = useHere();
  const columns = useColumns();
  const query = useInfiniteQuery({
    queryKey: ['statement', wallet, asset, at],
    queryFn: ({ pageParam, signal }) =>
      api.call('statement', {
        params: { wallet },
        query: { asset, ...(pageParam === null ? {} : { before: pageParam }) },
        signal,
      }),
    initialPageParam: at === null ? null : at + 1,
    getNextPageParam: ({ next }) => next,
  });
  const rows = query.data?.pages.flatMap(({ lines }) => lines) ?? [];
  return (
    <PagedTable
      query={query}
      empty={t('statement.empty')}
      label={t('statement.title')}
      rows={rows}
      columns={columns}
      idOf={({ position }) => String(position)}
      onOpen={({ position }) => void navigate(here(eventPath(position)))}
    />
  );
}

function useColumns(): Column<Line>[] {
  const { t } = useTexts();
  const events = useEventColumns();
  return [
    events.position(),
    events.time(),
    events.what(),
    {
      id: 'amount',
      header: t('explorer.column.amount'),
      cell: ({ row }) => <Amount amount={row.original.amount} signed unit={false} />,
      meta: { end: true, phone: 'end' },
    },
    {
      id: 'after',
      header: t('statement.after'),
      cell: ({ row }) => <Amount amount={row.original.after} unit={false} />,
      meta: { end: true },
    },
  ];
}
