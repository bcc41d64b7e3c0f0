import type { AdminData } from '@reelbook/admin/answers';
import { formatInteger, shortAddress } from '@reelbook/web/format';
import { useStore } from '@reelbook/web/store';
import { useParams } from 'react-router';
import { type Action, Actions, formAction, textField } from '../../components/actions.tsx';
import {
  Actor,
  Amount,
  EvidenceButton,
  FilterLink,
  Id,
  Mono,
  PlayerWithStanding,
  PositionChip,
  Time,
} from '../../components/chips.tsx';
import { Explained } from '../../components/explained.tsx';
import { factsOf, Loaded, PageHead, Panel, useTitle } from '../../components/panel.tsx';
import { EventSentence, event, Hold } from '../../components/sentence.tsx';
import { DataTable, ListPanel, usePages } from '../../components/table.tsx';
import { withdrawalPath } from '../../lib/paths.ts';
import { CALM, LIVE, useRead } from '../../lib/queries.ts';
import { session, useMay } from '../../lib/session-store.ts';
import { Balances, Money, Protection } from '../players/player.tsx';
import { Notes, noteAction } from '../players/player-actions.tsx';
import { Risks, Status } from './withdrawals.tsx';

type WithdrawalData = AdminData<'withdrawal'>;

/** Approve, deny, or mark an attempt expired; each only if the ledger would accept it. */
function actionsOn(
  withdrawal: WithdrawalData,
  me: string | undefined,
): readonly (Action | false)[] {
  const { status, risks } = withdrawal;
  const params = { withdrawal: withdrawal.withdrawal };
  const isMine = withdrawal.approved_by.includes(`operator:${me}`);
  return [
    status === 'requested' && {
      label: isMine ? 'Approved by you' : 'Approve',
      title: 'Approve this withdrawal',
      submit: 'Approve',
      look: 'primary',
      disabled: isMine || risks.some(({ code }) => code === 'state-differs'),
      facts: <ToApprove {...params} />,
      act: { call: 'approveWithdrawal', params },
    },
    (status === 'requested' || status === 'approved') && {
      label: 'Deny',
      title: 'Deny this withdrawal',
      isDangerous: true,
      act: { call: 'denyWithdrawal', params },
    },
    status === 'signed' &&
      withdrawal.hold !== null &&
      formAction({
        label: 'Mark attempt expired',
        title: 'Mark the signed attempt expired',
        isDangerous: true,
        text: 'Only after two nodes confirmed that it never landed and no longer can. The withdrawal is then signed again.',
        fields: { height: textField('Finalized block height at which you checked', 15) },
        act: ({ height }) =>
          /^\d{1,15}$/.test(height)
            ? { call: 'markExpired', params, body: { block_height: Number(height) } }
            : null,
      }),
  ];
}

const useWithdrawal = (withdrawal: string) =>
  useRead('withdrawal', { params: { withdrawal } }, LIVE);

/** What the operator approves, with the earlier approvals and their reasons. */
function ToApprove({ withdrawal }: { withdrawal: string }) {
  const { data } = useWithdrawal(withdrawal);
  if (!data) return null;
  const { length: count } = data.approved_by;
  return (
    <>
      <dl className="mb-3">
        {factsOf({
          To: <span className="break-all font-mono text-xs">{data.to_address}</span>,
          Net: <Amount amount={data.net} />,
          Approvals: `${count} → ${count + 1} / ${data.approvals_needed}`,
        })}
      </dl>
      {data.events
        .filter(({ type }) => type === 'WithdrawalApproved')
        .map(({ position, type, facts, what }) => (
          <p key={position} className="mb-2 wrap-anywhere text-sm">
            <PositionChip position={position} />{' '}
            <EventSentence type={type} facts={facts} text={what} />
          </p>
        ))}
      <Risks risks={data.risks} />
    </>
  );
}

/** One withdrawal with its history. */
export function Withdrawal() {
  const { withdrawal = '' } = useParams();
  const me = useStore(session)?.operator;
  useTitle('Withdrawal');
  return (
    <Loaded query={useWithdrawal(withdrawal)} rows={10}>
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
                <Actions of={actionsOn(data, me)} />
              </>
            }
          >
            <Id>{data.withdrawal}</Id>
          </PageHead>
          <div className="grid items-start gap-4 lg:grid-cols-2">
            <div className="grid min-w-0 gap-4">
              <Facts withdrawal={data} />
              <Panel title="Risk flags">
                <Risks risks={data.risks} />
              </Panel>
              <Panel flush title="History">
                <DataTable
                  label="History"
                  rows={data.events}
                  columns={{
                    Position: event.position,
                    'Time (UTC)': event.time,
                    Description: event.what,
                    Actor: event.actor,
                  }}
                  idOf={({ position }) => String(position)}
                />
              </Panel>
            </div>
            <div className="grid min-w-0 gap-4">
              <Explained account={`player:${data.player.wallet}`} asset="token" at={null} />
              <Payouts withdrawal={data} />
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
  return (
    <>
      <Loaded query={useRead('player', { params: { wallet } }, CALM)} rows={8}>
        {(player) => (
          <div className="grid gap-4">
            <Balances player={player} />
            <Money player={player} />
            <Protection player={player} />
          </div>
        )}
      </Loaded>
      <Notes wallet={wallet} aside={may('operator') && <Actions of={[noteAction(wallet)]} />} />
    </>
  );
}

/** Whose address it is paid to. */
function Owner({ withdrawal }: { withdrawal: WithdrawalData }) {
  const { to_address: q, player } = withdrawal;
  const { data } = useRead('players', { query: { q, limit: 1 } });
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

/** The other withdrawals of the player, newest first. */
function Payouts({ withdrawal: { withdrawal, player } }: { withdrawal: WithdrawalData }) {
  const list = usePages(
    'withdrawals',
    ({ withdrawals }) => withdrawals.filter((one) => one.withdrawal !== withdrawal),
    { status: 'all', wallet: player.wallet },
    CALM,
  );
  if (list.data && list.rows.length === 0) return null;
  return (
    <ListPanel
      title="Other withdrawals of the player"
      list={list}
      idOf={(one) => one.withdrawal}
      to={(one) => withdrawalPath(one.withdrawal)}
      columns={{
        Requested: ({ requested_at: at }) => <Time iso={at} />,
        To: ({ to_address: to }) => shortAddress(to),
        Gross: { figure: ({ amount }) => <Amount amount={amount} /> },
        Status: (one) => <Status withdrawal={one} />,
      }}
    />
  );
}

function Facts({ withdrawal: data }: { withdrawal: WithdrawalData }) {
  const { signature, last_valid_block_height: height, hold } = data;
  return (
    <Panel title="Withdrawal" aside={<Status withdrawal={data} />}>
      <dl>
        {factsOf({
          Player: <PlayerWithStanding {...data.player} />,
          To: (
            <>
              <Id>{data.to_address}</Id>
              <span className="block text-xs">
                <Owner withdrawal={data} />
              </span>
            </>
          ),
          Gross: <Amount amount={data.amount} />,
          Fee: <Amount amount={data.fee} />,
          Net: <Amount amount={data.net} />,
          Approvals: (
            <>
              <Mono>
                {data.approved_by.length}/{data.approvals_needed}
              </Mono>{' '}
              {data.approved_by.map((actor) => (
                <span key={actor} className="mr-2">
                  <Actor actor={actor} />
                </span>
              ))}
            </>
          ),
          Attempts: <Mono>{formatInteger(data.attempts)}</Mono>,
          Transaction: signature && (
            <FilterLink token={`signature:${signature}`}>{signature}</FilterLink>
          ),
          'Valid to block': height !== null && <Mono>{formatInteger(height)}</Mono>,
          Reason: data.reason,
          'On hold': hold && (
            <span className="text-coral">
              <Hold hold={hold} />
            </span>
          ),
        })}
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
