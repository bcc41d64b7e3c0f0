import type { AdminData } from '@reelbook/admin/answers';
import { Button } from '@reelbook/web/components/button';
import { Field } from '@reelbook/web/components/field';
import { formatInteger, shortAddress } from '@reelbook/web/format';
import { useStore } from '@reelbook/web/store';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { ActionDialog } from '../../components/action-dialog.tsx';
import { Actor, Amount, FilterLink, PositionChip } from '../../components/chips.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { EvidenceButton } from '../../components/evidence-button.tsx';
import { Explained } from '../../components/explained.tsx';
import { Loaded } from '../../components/loading.tsx';
import { Fact, PageHead, Panel } from '../../components/panel.tsx';
import { EventSentence, eventColumns, Hold } from '../../components/sentence.tsx';
import { PlayerWithStanding } from '../../components/standing.tsx';
import { Time } from '../../components/time.tsx';
import { withdrawalPath } from '../../lib/paths.ts';
import { useHere } from '../../lib/point-in-time.ts';
import { CALM_EVERY_MS, LIVE_EVERY_MS, read } from '../../lib/queries.ts';
import { session, useMay } from '../../lib/session-store.ts';
import { useTitle } from '../../lib/use-title.ts';
import { Balances, Money, Protection } from '../players/player.tsx';
import { NoteDialog, Notes } from '../players/player-actions.tsx';
import { Risks, Status, type WithdrawalData } from './withdrawals.tsx';

type Action = 'approve' | 'deny' | 'expired';

/** Approve, deny, or mark an attempt expired; each only if the ledger would accept it. */
export function WithdrawalActions({ withdrawal }: { withdrawal: WithdrawalData }) {
  const may = useMay();
  const me = useStore(session)?.operator;
  const [selected, setSelected] = useState<Action | null>(null);
  if (!may('operator')) return null;
  const { status, approved_by: approvedBy } = withdrawal;
  const isMine = approvedBy.includes(`operator:${me}`);
  const close = () => setSelected(null);
  return (
    <>
      {status === 'requested' && (
        <Button
          size="small"
          look="primary"
          disabled={isMine || withdrawal.risks.some(({ code }) => code === 'state-differs')}
          onClick={() => setSelected('approve')}
        >
          {isMine ? 'Approved by you' : 'Approve'}
        </Button>
      )}
      {(status === 'requested' || status === 'approved') && (
        <Button size="small" onClick={() => setSelected('deny')}>
          Deny
        </Button>
      )}
      {status === 'signed' && withdrawal.hold !== null && (
        <Button size="small" onClick={() => setSelected('expired')}>
          Mark attempt expired
        </Button>
      )}
      {selected === 'approve' && <ApproveDialog withdrawal={withdrawal} onClose={close} />}
      {selected === 'deny' && <DenyDialog withdrawal={withdrawal} onClose={close} />}
      {selected === 'expired' && <ExpiredDialog withdrawal={withdrawal} onClose={close} />}
    </>
  );
}

interface DialogProps {
  withdrawal: WithdrawalData;
  onClose(): void;
}

function ApproveDialog({ withdrawal, onClose }: DialogProps) {
  const { withdrawal: id, approved_by: approvedBy, approvals_needed: needed } = withdrawal;
  return (
    <ActionDialog
      title="Approve this withdrawal"
      action="Approve"
      act={{ call: 'approveWithdrawal', params: { withdrawal: id } }}
      onClose={onClose}
    >
      <dl className="mb-3">
        <Fact label="To">
          <span className="break-all font-mono text-xs">{withdrawal.to_address}</span>
        </Fact>
        <Fact label="Net">
          <Amount amount={withdrawal.net} />
        </Fact>
        <Fact label="Approvals">
          {approvedBy.length} → {approvedBy.length + 1} / {needed}
        </Fact>
      </dl>
      <Approvals withdrawal={id} />
      <div className="mb-3">
        <Risks risks={withdrawal.risks} />
      </div>
    </ActionDialog>
  );
}

/** The earlier approvals with their reasons. */
function Approvals({ withdrawal }: { withdrawal: string }) {
  const { data } = useQuery(read('withdrawal', { params: { withdrawal } }));
  const approvals = data?.events.filter(({ type }) => type === 'WithdrawalApproved') ?? [];
  return approvals.map(({ position, type, facts, what }) => (
    <p key={position} className="mb-2 wrap-anywhere text-sm">
      <PositionChip position={position} /> <EventSentence type={type} facts={facts} text={what} />
    </p>
  ));
}

function DenyDialog({ withdrawal, onClose }: DialogProps) {
  return (
    <ActionDialog
      title="Deny this withdrawal"
      action="Deny"
      isDangerous
      act={{ call: 'denyWithdrawal', params: { withdrawal: withdrawal.withdrawal } }}
      onClose={onClose}
    />
  );
}

function ExpiredDialog({ withdrawal, onClose }: DialogProps) {
  const [height, setHeight] = useState('');
  const params = { withdrawal: withdrawal.withdrawal };
  return (
    <ActionDialog
      title="Mark the signed attempt expired"
      action="Mark attempt expired"
      isDangerous
      act={
        /^\d{1,15}$/.test(height)
          ? { call: 'markExpired', params, body: { block_height: Number(height) } }
          : null
      }
      onClose={onClose}
    >
      <p className="mb-3 text-fg-2 text-sm">
        Only after two nodes confirmed that it never landed and no longer can. The withdrawal is
        then signed again.
      </p>
      <div className="mb-3">
        <Field
          label="Finalized block height at which you checked"
          value={height}
          onChange={setHeight}
          maxLength={15}
        />
      </div>
    </ActionDialog>
  );
}

/** One withdrawal with its history. */
export function WithdrawalPage() {
  useTitle('Withdrawal');
  const { withdrawal = '' } = useParams();
  const query = useQuery({
    ...read('withdrawal', { params: { withdrawal } }),
    refetchInterval: LIVE_EVERY_MS,
  });
  return (
    <Loaded query={query} rows={10}>
      {(data) => (
        <>
          <PageHead
            title={
              <>
                Withdrawal <Amount amount={data.amount} />
              </>
            }
            aside={
              <>
                <EvidenceButton of="withdrawal" id={data.withdrawal} />
                <WithdrawalActions withdrawal={data} />
              </>
            }
          >
            <span className="font-mono text-xs">{data.withdrawal}</span>
          </PageHead>
          <div className="grid items-start gap-4 lg:grid-cols-2">
            <div className="grid min-w-0 gap-4">
              <Facts withdrawal={data} />
              <Explained account={`player:${data.player.wallet}`} asset="token" at={null} />
              <Payouts withdrawal={data} />
            </div>
            <div className="grid min-w-0 gap-4">
              <Panel title="Risk flags">
                <Risks risks={data.risks} />
              </Panel>
              <Events withdrawal={data} />
              <Player wallet={data.player.wallet} />
            </div>
          </div>
        </>
      )}
    </Loaded>
  );
}

/** What is known about the player who asks for the money. */
function Player({ wallet }: { wallet: string }) {
  const may = useMay();
  const [isNoting, setNoting] = useState(false);
  const query = useQuery({
    ...read('player', { params: { wallet } }),
    refetchInterval: CALM_EVERY_MS,
  });
  const add = (
    <Button size="small" onClick={() => setNoting(true)}>
      Add note
    </Button>
  );
  return (
    <>
      <Loaded query={query} rows={8}>
        {(player) => (
          <>
            <Balances player={player} />
            <Money player={player} />
            <Protection player={player} />
          </>
        )}
      </Loaded>
      <Notes wallet={wallet} aside={may('operator') && add} />
      {isNoting && <NoteDialog player={{ wallet }} onClose={() => setNoting(false)} />}
    </>
  );
}

/** Whose address it is paid to. */
function Owner({ withdrawal }: { withdrawal: WithdrawalData }) {
  const { to_address: q, player } = withdrawal;
  const { data } = useQuery(read('players', { query: { q, limit: 1 } }));
  const [owner] = data?.players ?? [];
  if (q === player.wallet) return 'the wallet of the player';
  if (!data) return '…';
  if (!owner) return 'no player';
  return (
    <span className="text-coral">
      another player: <PlayerWithStanding {...owner} />
    </span>
  );
}

type Payout = AdminData<'withdrawals'>['withdrawals'][number];

/** The other withdrawals of the player, newest first. */
function Payouts({ withdrawal: { withdrawal, player } }: { withdrawal: WithdrawalData }) {
  const navigate = useNavigate();
  const here = useHere();
  const query = useQuery({
    ...read('withdrawals', { query: { status: 'all', wallet: player.wallet } }),
    refetchInterval: CALM_EVERY_MS,
  });
  const columns: Column<Payout>[] = [
    {
      id: 'time',
      header: 'Requested',
      cell: ({ row }) => <Time iso={row.original.requested_at} />,
    },
    { id: 'to', header: 'To', cell: ({ row }) => shortAddress(row.original.to_address) },
    {
      id: 'amount',
      header: 'Gross',
      cell: ({ row }) => <Amount amount={row.original.amount} />,
      meta: { end: true },
    },
    { id: 'status', header: 'Status', cell: ({ row }) => <Status withdrawal={row.original} /> },
  ];
  const others = query.data?.withdrawals.filter((one) => one.withdrawal !== withdrawal);
  if (others?.length === 0) return null;
  return (
    <Panel flush title="Other withdrawals of the player">
      <Loaded query={{ ...query, data: others }}>
        {(rows) => (
          <DataTable
            label="Other withdrawals of the player"
            rows={rows}
            columns={columns}
            idOf={(one) => one.withdrawal}
            onOpen={(one) => void navigate(here(withdrawalPath(one.withdrawal)))}
          />
        )}
      </Loaded>
    </Panel>
  );
}

function Facts({ withdrawal: data }: { withdrawal: WithdrawalData }) {
  return (
    <Panel title="Withdrawal" aside={<Status withdrawal={data} />}>
      <dl>
        <Fact label="Player">
          <PlayerWithStanding {...data.player} />
        </Fact>
        <Fact label="To">
          <span className="font-mono text-xs">{data.to_address}</span>
          <span className="block text-xs">
            <Owner withdrawal={data} />
          </span>
        </Fact>
        <Fact label="Gross">
          <Amount amount={data.amount} />
        </Fact>
        <Fact label="Fee">
          <Amount amount={data.fee} />
        </Fact>
        <Fact label="Net">
          <Amount amount={data.net} />
        </Fact>
        <Fact label="Approvals">
          <span className="font-mono">
            {data.approved_by.length}/{data.approvals_needed}
          </span>{' '}
          {data.approved_by.map((actor) => (
            <span key={actor} className="mr-2">
              <Actor actor={actor} />
            </span>
          ))}
        </Fact>
        <Fact label="Attempts">
          <span className="font-mono">{formatInteger(data.attempts)}</span>
        </Fact>
        {data.signature && (
          <Fact label="Transaction">
            <FilterLink token={`signature:${data.signature}`}>{data.signature}</FilterLink>
          </Fact>
        )}
        {data.last_valid_block_height !== null && (
          <Fact label="Valid to block">
            <span className="font-mono">{formatInteger(data.last_valid_block_height)}</span>
          </Fact>
        )}
        {data.reason && <Fact label="Reason">{data.reason}</Fact>}
        {data.hold && (
          <Fact label="On hold">
            <span className="text-coral">
              <Hold hold={data.hold} />
            </span>
          </Fact>
        )}
      </dl>
      {data.transaction && (
        <details className="mt-2 text-fg-3 text-xs">
          <summary className="min-h-8 py-1.5">Signed transaction bytes</summary>
          <p className="break-all font-mono">{data.transaction}</p>
        </details>
      )}
    </Panel>
  );
}

type Event = WithdrawalData['events'][number];

function Events({ withdrawal }: { withdrawal: WithdrawalData }) {
  const events = eventColumns();
  const columns: Column<Event>[] = [
    events.position(),
    events.time(),
    events.what(),
    events.actor(),
  ];
  return (
    <Panel flush title="History">
      <DataTable
        label="History"
        rows={withdrawal.events}
        columns={columns}
        idOf={({ position }) => String(position)}
      />
    </Panel>
  );
}
