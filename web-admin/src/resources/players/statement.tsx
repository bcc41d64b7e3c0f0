import type { AdminData } from '@reelbook/contract/admin/routes';
import { Button } from '@reelbook/web/components/button';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { Amount } from '../../components/chips.tsx';
import type { Column } from '../../components/data-table.tsx';
import { eventColumns } from '../../components/event-columns.tsx';
import { PagedTable } from '../../components/paged-table.tsx';
import { Panel } from '../../components/panel.tsx';
import { api } from '../../lib/api.ts';
import { eventPath } from '../../lib/paths.ts';
import { useHere } from '../../lib/point-in-time.ts';

type Asset = 'points' | 'token';
type Page = AdminData<'statement'>;
type Line = Page['lines'][number];

/** Changes of a balance, newest first, with the balance after each. */
export function Statement({ wallet, at }: { wallet: string; at: number | null }) {
  const [asset, setAsset] = useState<Asset>('points');
  return (
    <Panel
      flush
      title="Statement"
      aside={(['points', 'token'] as const).map((one) => (
        <Button
          key={one}
          size="small"
          look={one === asset ? 'primary' : 'plain'}
          aria-pressed={one === asset}
          onClick={() => setAsset(one)}
        >
          {one === 'token' ? 'BSM' : 'Points'}
        </Button>
      ))}
    >
      <Lines key={`${asset}${at}`} wallet={wallet} asset={asset} at={at} />
    </Panel>
  );
}

function Lines({ wallet, asset, at }: { wallet: string; asset: Asset; at: number | null }) {
  const navigate = useNavigate();
  const here = useHere();
  const columns = columnsOf();
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
      empty="No transactions yet."
      label="Statement"
      rows={rows}
      columns={columns}
      idOf={({ position }) => String(position)}
      onOpen={({ position }) => void navigate(here(eventPath(position)))}
    />
  );
}

function columnsOf(): Column<Line>[] {
  const events = eventColumns();
  return [
    events.position(),
    events.time(),
    events.what(),
    {
      id: 'amount',
      header: 'Amount',
      cell: ({ row }) => <Amount amount={row.original.amount} signed unit={false} />,
      meta: { end: true, phone: 'end' },
    },
    {
      id: 'after',
      header: 'Balance',
      cell: ({ row }) => <Amount amount={row.original.after} unit={false} />,
      meta: { end: true },
    },
  ];
}
