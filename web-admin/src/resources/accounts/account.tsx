import type { AdminData } from '@reelbook/contract/admin/routes';
import { balanceLines } from '@reelbook/contract/english';
import { Button, buttonClass } from '@reelbook/web/components/button';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearchParams } from 'react-router';
import { Amount, PlayerLink } from '../../components/chips.tsx';
import type { Column } from '../../components/data-table.tsx';
import { eventColumns } from '../../components/event-columns.tsx';
import { PagedTable } from '../../components/paged-table.tsx';
import { PageHead, Panel } from '../../components/panel.tsx';
import { api } from '../../lib/api.ts';
import { eventPath, playerPath } from '../../lib/paths.ts';
import { useAt, useHere } from '../../lib/point-in-time.ts';
import { dateTimeText } from '../../lib/times.ts';
import { useTitle } from '../../lib/use-title.ts';
import { type Asset, Explained } from './explained.tsx';

type Line = AdminData<'accountMovements'>['lines'][number];

const ASSETS: readonly Asset[] = ['points', 'token'];
const ASSET_PARAM = 'asset';
const PLAYER = 'player:';

/** Accounts that only have BSM. */
const BSM_ONLY: readonly string[] = ['fees', 'withdrawals', 'unmatched', 'chain'];

/** One account: its balance explained, and its movements. */
export function AccountPage() {
  const { account = '' } = useParams();
  const [at] = useAt();
  const here = useHere();
  const [search, setSearch] = useSearchParams();
  const named = search.get(ASSET_PARAM);
  const asset: Asset = named === 'token' || BSM_ONLY.includes(account) ? 'token' : 'points';
  const name = nameOf(account);
  useTitle(name);
  const choose = (one: Asset) =>
    setSearch(
      (now) => {
        now.set(ASSET_PARAM, one);
        return now;
      },
      { replace: true },
    );
  return (
    <>
      <PageHead
        title={name}
        aside={
          <>
            {account.startsWith(PLAYER) && (
              <Link
                to={here(playerPath(account.slice(PLAYER.length)))}
                className={buttonClass('plain', 'small')}
              >
                Player
              </Link>
            )}
            {!BSM_ONLY.includes(account) &&
              ASSETS.map((one) => (
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
          </>
        }
      >
        <span className="break-all font-mono text-xs">{account}</span>
      </PageHead>
      <div className="grid min-w-0 gap-4">
        <Explained key={account} account={account} asset={asset} at={at} />
        <Movements key={`${account}${asset}${at}`} account={account} asset={asset} at={at} />
      </div>
    </>
  );
}

function nameOf(account: string): string {
  if (account.startsWith(PLAYER)) return 'Account';
  return (balanceLines as Readonly<Record<string, string>>)[account] ?? account;
}

function Movements(props: { account: string; asset: Asset; at: number | null }) {
  const { account, asset, at } = props;
  const navigate = useNavigate();
  const here = useHere();
  const columns = columnsOf(account);
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

function columnsOf(account: string): Column<Line>[] {
  const events = eventColumns();
  const player: Column<Line> = {
    id: 'player',
    header: 'Player',
    cell: ({ row: { original } }) => original.player && <PlayerLink wallet={original.player} />,
  };
  return [
    events.position(),
    events.time(dateTimeText),
    events.what(),
    ...(account.startsWith(PLAYER) ? [] : [player]),
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
