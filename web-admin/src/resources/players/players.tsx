import type { AdminData } from '@reelbook/admin/answers';
import { Field } from '@reelbook/web/components/field';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { Amount, PositionChip } from '../../components/chips.tsx';
import { type Column, PagedTable } from '../../components/data-table.tsx';
import { PageHead, Panel } from '../../components/panel.tsx';
import { PlayerWithStanding } from '../../components/standing.tsx';
import { api } from '../../lib/api.ts';
import { playerPath } from '../../lib/paths.ts';
import { useAtQuery, useHere } from '../../lib/point-in-time.ts';
import { useTitle } from '../../lib/use-title.ts';

type Player = AdminData<'players'>['players'][number];

const NAME_MAX = 60;

/** Searches players by the start of a wallet, public ID or nickname. */
export function Players() {
  useTitle('Players');
  const [search, setSearch] = useSearchParams();
  const [typed, setTyped] = useState(search.get('name') ?? '');
  const q = useDeferredValue(typed.trim());
  const write = (text: string) => {
    setTyped(text);
    setSearch(
      (now) => {
        if (text.trim()) now.set('name', text.trim());
        else now.delete('name');
        return now;
      },
      { replace: true },
    );
  };
  return (
    <>
      <PageHead title="Players">Search by the start of a wallet, public ID or nickname.</PageHead>
      <div className="mb-4 max-w-xl">
        <Field
          label="Wallet, public ID or nickname"
          value={typed}
          onChange={write}
          maxLength={NAME_MAX}
        />
      </div>
      <div className="grid gap-4">
        <Found key={q} q={q} />
      </div>
    </>
  );
}

function Found({ q }: { q: string }) {
  const navigate = useNavigate();
  const here = useHere();
  const at = useAtQuery();
  const columns = playerColumns();
  const query = useInfiniteQuery({
    queryKey: ['players', q, at],
    queryFn: ({ pageParam, signal }) =>
      api.call('players', {
        query: { ...at, ...(q ? { q } : {}), ...(pageParam === null ? {} : { after: pageParam }) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  });
  const rows = query.data?.pages.flatMap(({ players }) => players) ?? [];
  return (
    <Panel flush title="Players">
      <PagedTable
        query={query}
        empty="No players found."
        label="Players"
        rows={rows}
        columns={columns}
        idOf={({ wallet }) => wallet}
        onOpen={({ wallet }) => void navigate(here(playerPath(wallet)))}
      />
    </Panel>
  );
}

function playerColumns(): Column<Player>[] {
  const balance = (asset: 'points' | 'token'): Column<Player> => ({
    id: asset,
    header: asset === 'token' ? 'BSM' : 'Points',
    cell: ({ row }) =>
      row.original.balances
        .filter((amount) => amount.asset === asset)
        .map((amount) => <Amount key={asset} amount={amount} unit={false} />),
    meta: asset === 'points' ? { end: true, phone: 'end' } : { end: true },
  });
  return [
    {
      id: 'name',
      header: 'Player',
      cell: ({ row }) => <PlayerWithStanding {...row.original} />,
      meta: { phone: 'lead' },
    },
    {
      id: 'public',
      header: 'Public ID',
      cell: ({ row }) => <span className="font-mono text-xs">{row.original.public_id}</span>,
    },
    balance('points'),
    balance('token'),
    {
      id: 'position',
      header: 'Last change',
      cell: ({ row }) => <PositionChip position={row.original.position} />,
      meta: { end: true },
    },
  ];
}
