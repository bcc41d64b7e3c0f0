import { Button } from '@reelbook/web/components/button';
import { Field } from '@reelbook/web/components/field';
import { useStore } from '@reelbook/web/store';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ActionDialog } from '../../components/action-dialog.tsx';
import { Amount, PositionChip } from '../../components/chips.tsx';
import { Fact } from '../../components/panel.tsx';
import { EventSentence } from '../../components/sentence.tsx';
import { read } from '../../lib/queries.ts';
import { useMay } from '../../lib/roles.ts';
import { session } from '../../lib/session-store.ts';
import type { WithdrawalData } from './data.ts';
import { Risks } from './risks.tsx';

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
