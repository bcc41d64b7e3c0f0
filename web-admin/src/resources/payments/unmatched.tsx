import type { AdminData } from '@reelbook/contract/admin/routes';
import { Badge } from '@reelbook/web/components/badge';
import { Button } from '@reelbook/web/components/button';
import { shortAddress } from '@reelbook/web/format';
import { useStore } from '@reelbook/web/store';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ActionDialog } from '../../components/action-dialog.tsx';
import { Actor, Amount, FilterLink, PlayerLink, PositionChip } from '../../components/chips.tsx';
import type { Column } from '../../components/data-table.tsx';
import { PagedTable } from '../../components/paged-table.tsx';
import { PageHead, Panel } from '../../components/panel.tsx';
import { PlayerField } from '../../components/player-field.tsx';
import { Term } from '../../components/sentence.tsx';
import { PlayerWithStanding } from '../../components/standing.tsx';
import { api } from '../../lib/api.ts';
import { CALM_EVERY_MS } from '../../lib/queries.ts';
import { useMay } from '../../lib/roles.ts';
import { session } from '../../lib/session-store.ts';
import { useTexts } from '../../lib/texts.ts';
import { timeText } from '../../lib/times.ts';
import { useTitle } from '../../lib/use-title.ts';

type Deposit = AdminData<'unmatched'>['deposits'][number];
type AmountData = Deposit['amount'];

/** Deposits without a matching player, until operators resolve them. */
export function Unmatched() {
  const { t } = useTexts();
  useTitle(t('nav.unmatched'));
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
      <PageHead title={t('nav.unmatched')}>{t('unmatched.lead')}</PageHead>
      <Panel flush title={t('nav.unmatched')}>
        <PagedTable
          query={query}
          empty={t('unmatched.none')}
          label={t('nav.unmatched')}
          rows={deposits}
          columns={columns}
          idOf={({ signature, token_account: account }) => `${signature}/${account}`}
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
  const { t } = useTexts();
  const may = useMay();
  return [
    {
      id: 'seen',
      header: t('unmatched.seen'),
      cell: ({ row }) => (
        <span className="inline-flex items-center gap-2">
          {row.original.position !== null && <PositionChip position={row.original.position} />}
          <span className="whitespace-nowrap font-mono text-fg-2 text-xs">
            {timeText(row.original.seen_at)}
          </span>
        </span>
      ),
      meta: { phone: 'lead' },
    },
    {
      id: 'amount',
      header: t('explorer.column.amount'),
      cell: ({ row }) => <Amount amount={row.original.amount} />,
      meta: { end: true, phone: 'end' },
    },
    {
      id: 'sender',
      header: t('unmatched.sender'),
      cell: ({ row }) =>
        row.original.sender_player ? (
          <PlayerWithStanding {...row.original.sender_player} />
        ) : (
          <span className="font-mono text-xs">
            {row.original.sender ? shortAddress(row.original.sender) : '—'}
          </span>
        ),
    },
    {
      id: 'reason',
      header: t('action.reason'),
      cell: ({ row }) => (
        <>
          <Term term={row.original.reason} />
          {row.original.proposed && <Proposed of={row.original.proposed} />}
        </>
      ),
    },
    {
      id: 'signature',
      header: t('withdrawal.signature'),
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
            {t('unmatched.resolve')}
          </Button>
        ),
      meta: { end: true },
    },
  ];
}

/** The proposal of the first of two operators. */
function Proposed({ of }: { of: NonNullable<Deposit['proposed']> }) {
  const { t } = useTexts();
  const { to, by, reason, position } = of;
  const wallet = to === 'house' ? null : to.slice('player:'.length);
  return (
    <span className="mt-1 flex flex-wrap items-center gap-1.5 text-sm" data-testid="proposed">
      <Badge tone="brass">{t('unmatched.waits')}</Badge>
      <Actor actor={by} /> → {wallet === null ? t('term.house') : <PlayerLink wallet={wallet} />}
      {reason !== null && <bdi className="wrap-anywhere">“{reason}”</bdi>}
      {position !== null && <PositionChip position={position} />}
    </span>
  );
}

/** Credits a player or the house. For a player, or above the threshold, a second operator must agree. */
function ResolveDialog(props: { deposit: Deposit; soloMax: AmountData; onClose(): void }) {
  const { deposit, soloMax, onClose } = props;
  const { t } = useTexts();
  const { signature, amount } = deposit;
  const { proposed } = deposit;
  const me = useStore(session)?.operator;
  const proposedWallet = proposed?.to.startsWith('player:')
    ? proposed.to.slice('player:'.length)
    : null;
  const [isHouse, setHouse] = useState(proposed?.to === 'house');
  const [wallet, setWallet] = useState(proposedWallet ?? deposit.sender_player?.wallet ?? '');
  const to = isHouse ? 'house' : `player:${wallet}`;
  const isReady = isHouse || wallet !== '';
  const isAgreed = proposed?.to === to && proposed.by !== `operator:${me}`;
  const takesTwo = !isHouse || BigInt(amount.minor) > BigInt(soloMax.minor);
  const waits = takesTwo && !isAgreed;
  return (
    <ActionDialog
      title={t('unmatched.resolveTitle')}
      action={t('unmatched.resolve')}
      act={isReady ? { call: 'resolveUnmatched', params: { signature }, body: { to } } : null}
      onClose={onClose}
    >
      {proposed && (
        <div className="mb-3">
          <Proposed of={proposed} />
        </div>
      )}
      {waits && (
        <p className="mb-3 text-fg-2 text-sm">
          {t('unmatched.takesTwo')} <Amount amount={soloMax} />
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
            {t(house ? 'unmatched.house' : 'unmatched.player')}
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
