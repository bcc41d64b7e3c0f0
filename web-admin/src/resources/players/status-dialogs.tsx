import { PERIODS } from '@reelbook/ledger/calendar';
import { EXCLUSION_TERMS } from '@reelbook/ledger/player/protection-commands';
import { assetOf, LIMIT_KINDS } from '@reelbook/ledger/player/protection-events';
import { readAmount } from '@reelbook/web/amount';
import { AmountField } from '@reelbook/web/components/amount-field';
import { Select } from '@reelbook/web/components/select';
import { shortAddress } from '@reelbook/web/format';
import { useState } from 'react';
import { ActDialog } from '../../components/act-dialog.tsx';
import { decimalText, unitOf } from '../../lib/amounts.ts';
import { api } from '../../lib/api.ts';
import { useTexts } from '../../lib/texts.ts';
import type { ActProps } from './data.ts';
import { isSuspended } from './standing.ts';

const streamOf = (wallet: string) => `player-${shortAddress(wallet)}`;

/** Suspend, or end a suspension. */
export function StatusDialog({ player, onClose }: ActProps) {
  const { t } = useTexts();
  const { wallet } = player;
  const suspended = isSuspended(player);
  return (
    <ActDialog
      title={t(suspended ? 'acts.reinstate' : 'acts.suspend')}
      action={t(suspended ? 'acts.reinstate' : 'acts.suspend')}
      isDangerous={!suspended}
      preview={{
        type: suspended ? 'PlayerReinstated' : 'PlayerSuspended',
        stream: streamOf(wallet),
        facts: [[t('acts.standing'), suspended ? 'suspended → active' : 'active → suspended']],
      }}
      onAct={({ reason, idempotencyKey }) =>
        api.call(suspended ? 'reinstatePlayer' : 'suspendPlayer', {
          params: { wallet },
          body: { reason },
          idempotencyKey,
        })
      }
      onClose={onClose}
    >
      <p className="mb-3 text-fg-2 text-sm">
        {t(suspended ? 'acts.reinstateWhat' : 'acts.suspendWhat')}
      </p>
    </ActDialog>
  );
}

/** Tighten a limit at once; a looser one is for the player alone. */
export function LimitDialog({ player, onClose }: ActProps) {
  const { t } = useTexts();
  const { wallet } = player;
  const [kind, setKind] = useState<(typeof LIMIT_KINDS)[number]>('loss');
  const [period, setPeriod] = useState<(typeof PERIODS)[number]>('day');
  const [text, setText] = useState('');
  const asset = assetOf(kind);
  const minor = text === '0' ? 0n : readAmount(asset, text);
  const isReady = typeof minor === 'bigint';
  return (
    <ActDialog
      title={t('acts.limit')}
      action={t('acts.limit')}
      isReady={isReady}
      preview={{
        type: 'LimitSet',
        stream: streamOf(wallet),
        facts: [
          [t('acts.kind'), `${t(`term.${kind}`)}, ${t(`term.${period}`)}`],
          [t('acts.most'), isReady ? `${decimalText(asset, minor)} ${unitOf(asset)}` : '—'],
        ],
      }}
      onAct={({ reason, idempotencyKey }) =>
        api.call('limitPlayer', {
          params: { wallet },
          body: { kind, period, minor: String(minor), reason },
          idempotencyKey,
        })
      }
      onClose={onClose}
    >
      <p className="mb-3 text-fg-2 text-sm">{t('acts.limitWhat')}</p>
      <div className="mb-3 grid grid-cols-2 gap-3">
        <Select<(typeof LIMIT_KINDS)[number]>
          label={t('acts.kind')}
          value={kind}
          onChange={(one) => setKind(one)}
          options={LIMIT_KINDS.map((one) => [one, t(`term.${one}`)])}
        />
        <Select<(typeof PERIODS)[number]>
          label={t('acts.period')}
          value={period}
          onChange={(one) => setPeriod(one)}
          options={PERIODS.map((one) => [one, t(`term.${one}`)])}
        />
      </div>
      <AmountField label={t('acts.most')} value={text} onChange={setText} aside={unitOf(asset)} />
    </ActDialog>
  );
}

/** An exclusion is never made shorter, by nobody. */
export function ExcludeDialog({ player, onClose }: ActProps) {
  const { t } = useTexts();
  const { wallet } = player;
  const [term, setTerm] = useState<(typeof EXCLUSION_TERMS)[number]>('24h');
  return (
    <ActDialog
      title={t('acts.exclude')}
      action={t('acts.exclude')}
      isDangerous
      preview={{
        type: 'SelfExcluded',
        stream: streamOf(wallet),
        facts: [[t('acts.term'), term]],
      }}
      onAct={({ reason, idempotencyKey }) =>
        api.call('excludePlayer', { params: { wallet }, body: { term, reason }, idempotencyKey })
      }
      onClose={onClose}
    >
      <p className="mb-3 text-fg-2 text-sm">{t('acts.excludeWhat')}</p>
      <div className="mb-3">
        <Select<(typeof EXCLUSION_TERMS)[number]>
          label={t('acts.term')}
          value={term}
          onChange={(one) => setTerm(one)}
          options={EXCLUSION_TERMS.map((one) => [one, one])}
        />
      </div>
    </ActDialog>
  );
}
