import type { AdminData } from '@reelbook/admin/answers';
import { Badge } from '@reelbook/web/components/badge';
import { Button } from '@reelbook/web/components/button';
import { shortAddress } from '@reelbook/web/format';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { ActionDialog } from '../../components/action-dialog.tsx';
import { Amount, FilterLink, PositionChip } from '../../components/chips.tsx';
import { type Column, PagedTable } from '../../components/data-table.tsx';
import { Fact, PageHead, Panel } from '../../components/panel.tsx';
import { PlayerField } from '../../components/player-field.tsx';
import { termText } from '../../components/sentence.tsx';
import { PlayerWithStanding } from '../../components/standing.tsx';
import { Time } from '../../components/time.tsx';
import { api } from '../../lib/api.ts';
import { paths } from '../../lib/paths.ts';
import { useHere } from '../../lib/point-in-time.ts';
import { CALM_EVERY_MS } from '../../lib/queries.ts';
import { useMay } from '../../lib/session-store.ts';
import { useTitle } from '../../lib/use-title.ts';

type Deposit = AdminData<'unmatched'>['deposits'][number];
type AmountData = Deposit['amount'];

const idOf = ({ signature, token_account: account }: Deposit) => `${signature}/${account}`;

/** Deposits without a matching player, until operators resolve them. */
export function Unmatched() {
  useTitle('Unmatched deposits');
  const query = useInfiniteQuery({
    queryKey: ['unmatched', 'pages'],
    queryFn: ({ pageParam, signal }) =>
      api.call('unmatched', {
        query: pageParam === null ? {} : { after: pageParam },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    refetchInterval: CALM_EVERY_MS,
  });
  const first = query.data?.pages[0];
  const deposits = query.data?.pages.flatMap((page) => page.deposits) ?? [];
  const [selected, setSelected] = useState<Deposit | null>(null);
  const columns = useColumns(setSelected);
  return (
    <>
      <PageHead title="Unmatched deposits">
        Deposits that could not be matched to a player. Credit each to a player or to the house.
      </PageHead>
      <Panel flush title="Unmatched deposits">
        <PagedTable
          query={query}
          empty="No unmatched deposits."
          label="Unmatched deposits"
          rows={deposits}
          columns={columns}
          idOf={idOf}
        />
      </Panel>
      {selected && first && (
        <ResolveDialog
          deposit={selected}
          soloMax={first.threshold}
          onClose={() => setSelected(null)}
        />
      )}
    </>
  );
}

function useColumns(onSelect: (deposit: Deposit) => void): Column<Deposit>[] {
  const may = useMay();
  return [
    {
      id: 'seen',
      header: 'Seen',
      cell: ({ row }) => (
        <span className="inline-flex items-center gap-2">
          {row.original.position !== null && <PositionChip position={row.original.position} />}
          <span className="text-fg-2 text-xs">
            <Time iso={row.original.seen_at} />
          </span>
        </span>
      ),
      meta: { phone: 'lead' },
    },
    {
      id: 'amount',
      header: 'Amount',
      cell: ({ row }) => <Amount amount={row.original.amount} />,
      meta: { end: true, phone: 'end' },
    },
    {
      id: 'sender',
      header: 'Sender',
      cell: ({ row }) =>
        row.original.sender_player ? (
          <PlayerWithStanding {...row.original.sender_player} />
        ) : (
          <span
            className="whitespace-nowrap font-mono text-xs"
            data-value={row.original.sender ?? ''}
          >
            {row.original.sender ? shortAddress(row.original.sender) : '—'}
          </span>
        ),
    },
    {
      id: 'reason',
      header: 'Reason',
      cell: ({ row }) => (
        <>
          {termText(row.original.reason)}
          <Proposed numbers={row.original.proposals} />
        </>
      ),
    },
    {
      id: 'signature',
      header: 'Transaction',
      cell: ({ row }) => (
        <FilterLink token={`signature:${row.original.signature}`}>
          {row.original.signature}
        </FilterLink>
      ),
    },
    {
      id: 'actions',
      header: '',
      cell: ({ row }) =>
        may('operator') && (
          <Button size="small" look="primary" onClick={() => onSelect(row.original)}>
            Resolve
          </Button>
        ),
      meta: { end: true },
    },
  ];
}

function Proposed({ numbers }: { numbers: readonly number[] }) {
  const here = useHere();
  if (numbers.length === 0) return null;
  return (
    <Link to={here(paths.approvals)} className="mt-1 block text-sm" data-testid="proposed">
      <Badge tone="brass">awaiting another operator</Badge>
    </Link>
  );
}

/** Credits a player or the house. For a player, or above the threshold, a second operator must agree. */
function ResolveDialog(props: { deposit: Deposit; soloMax: AmountData; onClose(): void }) {
  const { deposit, soloMax, onClose } = props;
  const { signature, amount } = deposit;
  const [isHouse, setHouse] = useState(false);
  const [wallet, setWallet] = useState(deposit.sender_player?.wallet ?? '');
  const to = isHouse ? 'house' : `player:${wallet}`;
  const isReady = isHouse || wallet !== '';
  const takesTwo = !isHouse || BigInt(amount.minor) > BigInt(soloMax.minor);
  return (
    <ActionDialog
      title="Resolve this deposit"
      action="Resolve"
      act={isReady ? { call: 'resolveUnmatched', params: { signature }, body: { to } } : null}
      onClose={onClose}
    >
      <dl className="mb-3">
        <Fact label="Amount">
          <Amount amount={amount} />
        </Fact>
        <Fact label="Sender">
          <span className="break-all font-mono text-xs">{deposit.sender ?? '—'}</span>
        </Fact>
        <Fact label="Transaction">
          <span className="break-all font-mono text-xs">{signature}</span>
        </Fact>
      </dl>
      {takesTwo && (
        <p className="mb-3 text-fg-2 text-sm">
          Two operators must agree. One operator alone can only credit the house, up to{' '}
          <Amount amount={soloMax} />
        </p>
      )}
      <div className="mb-3 flex gap-2">
        {[false, true].map((house) => (
          <Button
            key={String(house)}
            size="small"
            look={house === isHouse ? 'primary' : 'plain'}
            aria-pressed={house === isHouse}
            onClick={() => setHouse(house)}
          >
            {house ? 'Credit the house' : 'Credit a player'}
          </Button>
        ))}
      </div>
      {!isHouse && (
        <div className="mb-3">
          <PlayerField wallet={wallet} onChange={setWallet} />
        </div>
      )}
    </ActionDialog>
  );
}
