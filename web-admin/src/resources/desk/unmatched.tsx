import type { AdminData } from '@reelbook/contract/admin/client';
import { Button } from '@reelbook/web/components/button';
import { Field } from '@reelbook/web/components/field';
import { Empty } from '@reelbook/web/components/states';
import { shortAddress } from '@reelbook/web/format';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ActDialog } from '../../components/act-dialog.tsx';
import { Amount, FilterLink, PlayerLink, PositionChip } from '../../components/chips.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Loaded } from '../../components/loading.tsx';
import { PageHead, Panel } from '../../components/panel.tsx';
import { api } from '../../lib/api.ts';
import { CALM_EVERY_MS, read } from '../../lib/queries.ts';
import { useMay } from '../../lib/roles.ts';
import { useTexts } from '../../lib/texts.ts';
import { timeText } from '../../lib/times.ts';
import { useTitle } from '../../lib/use-title.ts';

type Deposit = AdminData<'unmatched'>['deposits'][number];

const WALLET = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

/** What arrived and could be given to nobody, until a person says whose it is. */
export function Unmatched() {
  const { t } = useTexts();
  useTitle(t('nav.unmatched'));
  const query = useQuery({ ...read('unmatched', { query: {} }), refetchInterval: CALM_EVERY_MS });
  const [asked, setAsked] = useState<Deposit | null>(null);
  const columns = useColumns(setAsked);
  return (
    <>
      <PageHead title={t('nav.unmatched')}>{t('unmatched.lead')}</PageHead>
      <Panel flush title={t('nav.unmatched')}>
        <Loaded query={query}>
          {({ deposits }) =>
            deposits.length === 0 ? (
              <Empty>{t('unmatched.none')}</Empty>
            ) : (
              <DataTable
                label={t('nav.unmatched')}
                rows={deposits}
                columns={columns}
                idOf={({ signature, token_account: account }) => `${signature}/${account}`}
              />
            )
          }
        </Loaded>
      </Panel>
      {asked && <ResolveDialog deposit={asked} onClose={() => setAsked(null)} />}
    </>
  );
}

function useColumns(onAsk: (deposit: Deposit) => void): Column<Deposit>[] {
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
          <PlayerLink {...row.original.sender_player} />
        ) : (
          <span className="font-mono text-xs">
            {row.original.sender ? shortAddress(row.original.sender) : '—'}
          </span>
        ),
    },
    { id: 'reason', header: t('unmatched.why'), cell: ({ row }) => row.original.reason },
    {
      id: 'signature',
      header: t('desk.signature'),
      cell: ({ row }) => (
        <FilterLink token={`signature:${row.original.signature}`}>
          {row.original.signature}
        </FilterLink>
      ),
    },
    {
      id: 'act',
      header: '',
      cell: ({ row }) =>
        may('operator') && (
          <Button size="small" look="primary" onClick={() => onAsk(row.original)}>
            {t('unmatched.resolve')}
          </Button>
        ),
      meta: { end: true },
    },
  ];
}

/** Whose it is: a player by wallet, or the house. */
function ResolveDialog({ deposit, onClose }: { deposit: Deposit; onClose(): void }) {
  const { t } = useTexts();
  const { signature, amount } = deposit;
  const [isHouse, setHouse] = useState(false);
  const [wallet, setWallet] = useState(deposit.sender_player?.wallet ?? '');
  const to = isHouse ? 'house' : `player:${wallet.trim()}`;
  const isReady = isHouse || WALLET.test(wallet.trim());
  const account = isHouse ? 'house' : `player:${shortAddress(wallet.trim())}`;
  return (
    <ActDialog
      title={t('unmatched.resolveTitle')}
      action={t('unmatched.resolve')}
      isReady={isReady}
      preview={{
        type: isHouse ? 'UnmatchedDepositResolved' : 'UnmatchedDepositResolved, DepositCredited',
        stream: 'treasury',
        facts: [
          [t('desk.signature'), signature],
          [t('unmatched.to'), isReady ? to : '—'],
        ],
        postings: [
          [
            'unmatched',
            <Amount key="out" amount={{ ...amount, minor: `-${amount.minor}` }} signed />,
          ],
          [isReady ? account : '—', <Amount key="in" amount={amount} signed />],
        ],
      }}
      onAct={({ reason, idempotencyKey }) =>
        api.call('resolveUnmatched', {
          params: { signature },
          body: { to, reason },
          idempotencyKey,
        })
      }
      onClose={onClose}
    >
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
          <Field label={t('unmatched.wallet')} value={wallet} onChange={setWallet} maxLength={44} />
        </div>
      )}
    </ActDialog>
  );
}
