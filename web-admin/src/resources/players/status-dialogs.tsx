import { PERIODS } from '@reelbook/ledger/calendar';
import { EXCLUSION_TERMS } from '@reelbook/ledger/player/protection-commands';
import { assetOf, LIMIT_KINDS } from '@reelbook/ledger/player/protection-events';
import { readAmount } from '@reelbook/web/amount';
import { Select } from '@reelbook/web/components/select';
import { useState } from 'react';
import { ActionDialog } from '../../components/action-dialog.tsx';
import { AmountField } from '../../components/amount-field.tsx';
import type { DialogProps } from './data.ts';
import { isSuspended } from './suspension.ts';

/** Suspends or reinstates a player. */
export function StatusDialog({ player, onClose }: DialogProps) {
  const { wallet } = player;
  const suspended = isSuspended(player);
  return (
    <ActionDialog
      title={suspended ? 'Reinstate' : 'Suspend'}
      action={suspended ? 'Reinstate' : 'Suspend'}
      isDangerous={!suspended}
      act={{ call: suspended ? 'reinstatePlayer' : 'suspendPlayer', params: { wallet } }}
      onClose={onClose}
    >
      <p className="mb-3 text-fg-2 text-sm">
        {suspended
          ? 'The player can play again immediately.'
          : 'The player cannot play, buy points or announce a deposit. Exchanging points for BSM and withdrawing stay possible.'}
      </p>
    </ActionDialog>
  );
}

/** Tightens a limit immediately. Only the player can loosen it. */
export function LimitDialog({ player, onClose }: DialogProps) {
  const { wallet } = player;
  const [kind, setKind] = useState<(typeof LIMIT_KINDS)[number]>('loss');
  const [period, setPeriod] = useState<(typeof PERIODS)[number]>('day');
  const [text, setText] = useState('');
  const asset = assetOf(kind);
  const amount = readAmount(asset, text);
  const minor = amount === 'zero' ? 0n : amount;
  return (
    <ActionDialog
      title="Tighten limit"
      action="Tighten limit"
      act={
        typeof minor === 'bigint'
          ? { call: 'limitPlayer', params: { wallet }, body: { kind, period, minor: `${minor}` } }
          : null
      }
      onClose={onClose}
    >
      <p className="mb-3 text-fg-2 text-sm">
        Takes effect immediately. Only the player can loosen it.
      </p>
      <div className="mb-3 grid grid-cols-2 gap-3">
        <Select<(typeof LIMIT_KINDS)[number]>
          label="Limit"
          value={kind}
          onChange={(one) => setKind(one)}
          options={LIMIT_KINDS.map((one) => [one, one])}
        />
        <Select<(typeof PERIODS)[number]>
          label="Period"
          value={period}
          onChange={(one) => setPeriod(one)}
          options={PERIODS.map((one) => [one, one])}
        />
      </div>
      <AmountField label="Maximum" asset={asset} value={text} onChange={setText} />
    </ActionDialog>
  );
}

/** Excludes a player. No one can shorten an exclusion. */
export function ExcludeDialog({ player, onClose }: DialogProps) {
  const { wallet } = player;
  const [term, setTerm] = useState<(typeof EXCLUSION_TERMS)[number]>('24h');
  return (
    <ActionDialog
      title="Exclude"
      action="Exclude"
      isDangerous
      act={{ call: 'excludePlayer', params: { wallet }, body: { term } }}
      onClose={onClose}
    >
      <p className="mb-3 text-fg-2 text-sm">An exclusion cannot be shortened.</p>
      <div className="mb-3">
        <Select<(typeof EXCLUSION_TERMS)[number]>
          label="Duration"
          value={term}
          onChange={(one) => setTerm(one)}
          options={EXCLUSION_TERMS.map((one) => [one, one])}
        />
      </div>
    </ActionDialog>
  );
}
