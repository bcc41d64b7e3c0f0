import type { AdminData } from '@reelbook/contract/admin/routes';
import { Button, buttonClass } from '@reelbook/web/components/button';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearchParams } from 'react-router';
import { Amount, PlayerLink } from '../../components/chips.tsx';
import type { Column } from '../../components/data-table.tsx';
import { useEventColumns } from '../../components/event-columns.tsx';
import { PagedTable } from '../../components/paged-table.tsx';
import { PageHead, Panel } from '../../components/panel.tsx';
import { api } from '../../lib/api.ts';
import { eventPath, playerPath } from '../../lib/paths.ts';
import { useAt, useHere } from '../../lib/point-in-time.ts';
import { useTexts } from '../../lib/texts.ts';
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
  const { t } = useTexts();
  const { account = '' } = useParams();
  const [at] = useAt();
  const here = useHere();
  const [search, setSearch] = useSearchParams();
  const named = search.get(ASSET_PARAM);
  const asset: Asset = named === 'token' || BSM_ONLY.includes(account) ? 'token' : 'points';
  const name = useAccountName(account);
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
                {t('explorer.column.player')}
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
                  {one === 'token' ? 'BSM' : t('players.points')}
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

function useAccountName(account: string): string {
  const { t } = useTexts();
  if (account.startsWith(PLAYER)) return t('explain.account');
  return t(`line.${account as 'house'}`, { defaultValue: account });
}

function Movements(props: { account: string; asset: Asset; at: number | null }) {
  const { account, asset, at } = props;
  const { t } = useTexts();
  const navigate = useNavigate();
  const here = useHere();
  const columns = useColumns(account);
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
    <Panel flush title={t('explain.movements')}>
      <PagedTable
        query={query}
        empty={t('explain.noMovements')}
        label={t('explain.movements')}
        rows={query.data?.pages.flatMap(({ lines }) => lines) ?? []}
        columns={columns}
        idOf={({ position }) => String(position)}
        onOpen={({ position }) => void navigate(here(eventPath(position)))}
      />
    </Panel>
  );
}

function useColumns(account: string): Column<Line>[] {
  const { t } = useTexts();
  const events = useEventColumns();
  const player: Column<Line> = {
    id: 'player',
    header: t('explorer.column.player'),
    cell: ({ row: { original } }) => original.player && <PlayerLink wallet={original.player} />,
  };
  return [
    events.position(),
    events.time(dateTimeText),
    events.what(),
    ...(account.startsWith(PLAYER) ? [] : [player]),
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
