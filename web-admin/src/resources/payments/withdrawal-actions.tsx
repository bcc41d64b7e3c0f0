import { Button } from '@reelbook/web/components/button';
import { Field } from '@reelbook/web/components/field';
import { shortAddress } from '@reelbook/web/format';
import { useStore } from '@reelbook/web/store';
import { useState } from 'react';
import { ActionDialog, type Preview } from '../../components/action-dialog.tsx';
import { Amount } from '../../components/chips.tsx';
import { api } from '../../lib/api.ts';
import { useMay } from '../../lib/roles.ts';
import { session } from '../../lib/session-store.ts';
import { useTexts } from '../../lib/texts.ts';
import type { WithdrawalData } from './data.ts';
import { Risks } from './risks.tsx';

type Action = 'approve' | 'deny' | 'expired';

/** Approve, deny, or mark an attempt expired; each only if the ledger would accept it. */
export function WithdrawalActions({ withdrawal }: { withdrawal: WithdrawalData }) {
  const { t } = useTexts();
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
          disabled={isMine}
          onClick={() => setSelected('approve')}
        >
          {t(isMine ? 'withdrawal.approvedByYou' : 'withdrawal.approve')}
        </Button>
      )}
      {(status === 'requested' || status === 'approved') && (
        <Button size="small" onClick={() => setSelected('deny')}>
          {t('withdrawal.deny')}
        </Button>
      )}
      {status === 'signed' && withdrawal.hold !== null && (
        <Button size="small" onClick={() => setSelected('expired')}>
          {t('withdrawal.expired')}
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

const streamOf = ({ player }: WithdrawalData) => `player-${shortAddress(player.wallet)}`;

function ApproveDialog({ withdrawal, onClose }: DialogProps) {
  const { t } = useTexts();
  const { withdrawal: id, approved_by: approvedBy, approvals_needed: needed } = withdrawal;
  const preview: Preview = {
    type: 'WithdrawalApproved',
    stream: streamOf(withdrawal),
    facts: [
      [t('withdrawal.title'), id],
      [t('withdrawal.to'), withdrawal.to_address],
      [t('withdrawal.net'), <Amount key="net" amount={withdrawal.net} />],
      [t('withdrawal.approvals'), `${approvedBy.length} → ${approvedBy.length + 1} / ${needed}`],
    ],
  };
  return (
    <ActionDialog
      title={t('withdrawal.approveTitle')}
      action={t('withdrawal.approve')}
      preview={preview}
      onSubmit={({ reason, idempotencyKey }) =>
        api.call('approveWithdrawal', {
          params: { withdrawal: id },
          body: { reason },
          idempotencyKey,
        })
      }
      onClose={onClose}
    >
      <div className="mb-3">
        <Risks risks={withdrawal.risks} />
      </div>
    </ActionDialog>
  );
}

function DenyDialog({ withdrawal, onClose }: DialogProps) {
  const { t } = useTexts();
  const { withdrawal: id, player, amount, net, fee } = withdrawal;
  const negative = (of: typeof amount) => ({ ...of, minor: `-${of.minor}` });
  return (
    <ActionDialog
      title={t('withdrawal.denyTitle')}
      action={t('withdrawal.deny')}
      isDangerous
      preview={{
        type: 'WithdrawalDenied, WithdrawalReleased',
        stream: streamOf(withdrawal),
        facts: [[t('withdrawal.title'), id]],
        postings: [
          ['withdrawals', <Amount key="net" amount={negative(net)} signed />],
          ['fees', <Amount key="fee" amount={negative(fee)} signed />],
          [`player:${shortAddress(player.wallet)}`, <Amount key="all" amount={amount} signed />],
        ],
      }}
      onSubmit={({ reason, idempotencyKey }) =>
        api.call('denyWithdrawal', { params: { withdrawal: id }, body: { reason }, idempotencyKey })
      }
      onClose={onClose}
    />
  );
}

function ExpiredDialog({ withdrawal, onClose }: DialogProps) {
  const { t } = useTexts();
  const { withdrawal: id, signature } = withdrawal;
  const [height, setHeight] = useState('');
  return (
    <ActionDialog
      title={t('withdrawal.expiredTitle')}
      action={t('withdrawal.expired')}
      isDangerous
      isReady={/^\d{1,15}$/.test(height)}
      preview={{
        type: 'WithdrawalAttemptFailed',
        stream: streamOf(withdrawal),
        facts: [
          [t('withdrawal.title'), id],
          [t('withdrawal.signature'), signature],
          [t('withdrawal.height'), height || '—'],
        ],
      }}
      onSubmit={({ reason, idempotencyKey }) =>
        api.call('markExpired', {
          params: { withdrawal: id },
          body: { reason, block_height: Number(height) },
          idempotencyKey,
        })
      }
      onClose={onClose}
    >
      <p className="mb-3 text-fg-2 text-sm">{t('withdrawal.expiredWhat')}</p>
      <div className="mb-3">
        <Field label={t('withdrawal.height')} value={height} onChange={setHeight} maxLength={15} />
      </div>
    </ActionDialog>
  );
}
