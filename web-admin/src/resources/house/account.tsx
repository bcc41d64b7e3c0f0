import type { AdminData } from '@reelbook/admin/answers';
import { balanceLines } from '@reelbook/contract/english';
import { Button } from '@reelbook/web/components/button';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { PlayerLink } from '../../components/chips.tsx';
import { type Column, PagedTable } from '../../components/data-table.tsx';
import { type Asset, Explained } from '../../components/explained.tsx';
import { Panel } from '../../components/panel.tsx';
import { eventColumns } from '../../components/sentence.tsx';
import { api } from '../../lib/api.ts';
import { ACCOUNT_PARAM, eventPath } from '../../lib/paths.ts';
import { useAt, useHere } from '../../lib/point-in-time.ts';
import { dateTimeText } from '../../lib/times.ts';

type Line = AdminData<'accountMovements'>['lines'][number];

const ASSETS: readonly Asset[] = ['points', 'token'];
const ASSET_PARAM = 'asset';

/** Accounts that only have BSM. */
const BSM_ONLY: readonly string[] = ['fees', 'withdrawals', 'unmatched', 'chain'];

/** The account of the house in the URL: its balance explained, and its movements. */
export function AccountOfHouse() {
  const [at] = useAt();
  const [search, setSearch] = useSearchParams();
  const account = search.get(ACCOUNT_PARAM) ?? '';
  const named = search.get(ASSET_PARAM);
  const asset: Asset = named === 'token' || BSM_ONLY.includes(account) ? 'token' : 'points';
  useEffect(() => {
    if (account) window.scrollTo(0, 0);
  }, [account]);
  if (!account) return null;
  const choose = (one: Asset) =>
    setSearch(
      (now) => {
        now.set(ASSET_PARAM, one);
        return now;
      },
      { replace: true, preventScrollReset: true },
    );
  return (
    <section className="mb-8">
      <div className="mb-4 flex flex-wrap items-center justify-between gap-2">
        <h2 className="text-lg">
          {(balanceLines as Readonly<Record<string, string>>)[account] ?? account}
        </h2>
        {!BSM_ONLY.includes(account) && (
          <div className="flex gap-2">
            {ASSETS.map((one) => (
              <Button
                key={one}
                size="small"
                look={one === asset ? 'primary' : 'plain'}
                aria-pressed={one === asset}
                onClick={() => choose(one)}
              >
                {one === 'token' ? 'BSM' : 'Points'}
              </Button>
            ))}
          </div>
        )}
      </div>
      <div className="grid min-w-0 gap-4">
        <Explained key={account} account={account} asset={asset} at={at} />
        <Movements key={`${account}${asset}${at}`} account={account} asset={asset} at={at} />
      </div>
    </section>
  );
}

function Movements(props: { account: string; asset: Asset; at: number | null }) {
  const { account, asset, at } = props;
  const navigate = useNavigate();
  const here = useHere();
  const columns = columnsOf();
  const query = useInfiniteQuery({
    queryKey: ['accountMovements', account, asset, at],
    queryFn: ({ pageParam, signal }) =>
      api.call('accountMovements', {
        query: { account, asset, ...(pageParam === null ? {} : { before: pageParam }) },
        signal,
      }),
    initialPageParam: at === null ? null : at + 1,
    getNextPageParam: ({ next }) => next,
  });
  return (
    <Panel flush title="Movements">
      <PagedTable
        query={query}
        empty="No event has moved this account in this asset."
        label="Movements"
        rows={query.data?.pages.flatMap(({ lines }) => lines) ?? []}
        columns={columns}
        idOf={({ position }) => String(position)}
        onOpen={({ position }) => void navigate(here(eventPath(position)))}
      />
    </Panel>
  );
}

function columnsOf(): Column<Line>[] {
  const events = eventColumns();
  return [
    events.position(),
    events.time(dateTimeText),
    events.what(),
    {
      id: 'player',
      header: 'Player',
      cell: ({ row: { original } }) => original.player && <PlayerLink wallet={original.player} />,
    },
    events.amount(),
    events.after(),
  ];
}
