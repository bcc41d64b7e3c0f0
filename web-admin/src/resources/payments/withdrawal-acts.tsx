import { Button } from '@reelbook/web/components/button';
import { Field } from '@reelbook/web/components/field';
import { shortAddress } from '@reelbook/web/format';
import { useStore } from '@reelbook/web/store';
import { useState } from 'react';
import { ActDialog, type Preview } from '../../components/act-dialog.tsx';
import { Amount } from '../../components/chips.tsx';
import { api } from '../../lib/api.ts';
import { useMay } from '../../lib/roles.ts';
import { session } from '../../lib/session-store.ts';
import { useTexts } from '../../lib/texts.ts';
import type { WithdrawalData } from './data.ts';
import { Risks } from './risks.tsx';

type Action = 'approve' | 'deny' | 'expired';

/** Approve, deny, and say that a signed attempt is dead: each only where the ledger would take it. */
export function WithdrawalActions({ withdrawal }: { withdrawal: WithdrawalData }) {
  const { t } = useTexts();
  const may = useMay();
  const me = useStore(session)?.operator;
  const [asked, setAsked] = useState<Action | null>(null);
  if (!may('operator')) return null;
  const { status, approved_by: approvedBy } = withdrawal;
  const isMine = approvedBy.includes(`operator:${me}`);
  const close = () => setAsked(null);
  return (
    <>
      {status === 'requested' && (
        <Button size="small" look="primary" disabled={isMine} onClick={() => setAsked('approve')}>
          {t(isMine ? 'desk.approvedByYou' : 'desk.approve')}
        </Button>
      )}
      {(status === 'requested' || status === 'approved') && (
        <Button size="small" onClick={() => setAsked('deny')}>
          {t('desk.deny')}
        </Button>
      )}
      {status === 'signed' && withdrawal.hold !== null && (
        <Button size="small" onClick={() => setAsked('expired')}>
          {t('desk.expired')}
        </Button>
      )}
      {asked === 'approve' && <ApproveDialog withdrawal={withdrawal} onClose={close} />}
      {asked === 'deny' && <DenyDialog withdrawal={withdrawal} onClose={close} />}
      {asked === 'expired' && <ExpiredDialog withdrawal={withdrawal} onClose={close} />}
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
      [t('desk.withdrawal'), id],
      [t('desk.to'), withdrawal.to_address],
      [t('desk.net'), <Amount key="net" amount={withdrawal.net} />],
      [t('desk.approvals'), `${approvedBy.length} → ${approvedBy.length + 1} / ${needed}`],
    ],
  };
  return (
    <ActDialog
      title={t('desk.approveTitle')}
      action={t('desk.approve')}
      preview={preview}
      onAct={({ reason, idempotencyKey }) =>
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
    </ActDialog>
  );
}

function DenyDialog({ withdrawal, onClose }: DialogProps) {
  const { t } = useTexts();
  const { withdrawal: id, player, amount, net, fee } = withdrawal;
  const negative = (of: typeof amount) => ({ ...of, minor: `-${of.minor}` });
  return (
    <ActDialog
      title={t('desk.denyTitle')}
      action={t('desk.deny')}
      isDangerous
      preview={{
        type: 'WithdrawalDenied, WithdrawalReleased',
        stream: streamOf(withdrawal),
        facts: [[t('desk.withdrawal'), id]],
        postings: [
          ['withdrawals', <Amount key="net" amount={negative(net)} signed />],
          ['fees', <Amount key="fee" amount={negative(fee)} signed />],
          [`player:${shortAddress(player.wallet)}`, <Amount key="all" amount={amount} signed />],
        ],
      }}
      onAct={({ reason, idempotencyKey }) =>
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
    <ActDialog
      title={t('desk.expiredTitle')}
      action={t('desk.expired')}
      isDangerous
      isReady={/^\d{1,15}$/.test(height)}
      preview={{
        type: 'WithdrawalAttemptFailed',
        stream: streamOf(withdrawal),
        facts: [
          [t('desk.withdrawal'), id],
          [t('desk.signature'), signature],
          [t('desk.height'), height || '—'],
        ],
      }}
      onAct={({ reason, idempotencyKey }) =>
        api.call('markExpired', {
          params: { withdrawal: id },
          body: { reason, block_height: Number(height) },
          idempotencyKey,
        })
      }
      onClose={onClose}
    >
      <p className="mb-3 text-fg-2 text-sm">{t('desk.expiredWhat')}</p>
      <div className="mb-3">
        <Field label={t('desk.height')} value={height} onChange={setHeight} maxLength={15} />
      </div>
    </ActDialog>
  );
}
