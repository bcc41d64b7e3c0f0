import { readAmount } from '@reelbook/web/amount';
import { AmountField } from '@reelbook/web/components/amount-field';
import { Button } from '@reelbook/web/components/button';
import { shortAddress } from '@reelbook/web/format';
import { toast } from '@reelbook/web/toasts';
import { useState } from 'react';
import { ActionDialog } from '../../components/action-dialog.tsx';
import { Amount } from '../../components/chips.tsx';
import { amountText, decimalText, unitOf } from '../../lib/amounts.ts';
import { api } from '../../lib/api.ts';
import { useTexts } from '../../lib/texts.ts';
import type { DialogProps } from './data.ts';

type Asset = 'points' | 'token';

/** Credits or debits a player against the house. Above the threshold another operator must approve. */
export function AdjustDialog({ player, onClose }: DialogProps) {
  const { t } = useTexts();
  const { wallet } = player;
  const [asset, setAsset] = useState<Asset>('points');
  const [isCredit, setCredit] = useState(true);
  const [text, setText] = useState('');
  const typed = readAmount(asset, text);
  const isReady = typeof typed === 'bigint';
  const delta = isReady ? (isCredit ? typed : -typed) : 0n;
  const held = player.balances.find((one) => one.asset === asset);
  const leg = (minor: bigint) => <Amount amount={{ asset, minor: String(minor) }} signed />;
  return (
    <ActionDialog
      title={t('actions.adjust')}
      action={t('actions.adjust')}
      isReady={isReady}
      preview={{
        type: 'BalanceAdjusted',
        stream: `player-${shortAddress(wallet)}`,
        facts: held
          ? [
              [
                t('travel.balance'),
                `${amountText(held)} → ${decimalText(asset, BigInt(held.minor) + delta)}`,
              ],
            ]
          : [],
        postings: [
          ['house', leg(-delta)],
          [`player:${shortAddress(wallet)}`, leg(delta)],
        ],
      }}
      onSubmit={async ({ reason, idempotencyKey }) => {
        const response = await api.call('adjustBalance', {
          params: { wallet },
          body: { amount: { asset, minor: String(delta) }, reason },
          idempotencyKey,
        });
        if (response.status === 'waiting') toast(t('actions.waits'));
        return response;
      }}
      onClose={onClose}
    >
      <p className="mb-3 text-fg-2 text-sm">{t('actions.adjustWhat')}</p>
      <div className="mb-3 flex flex-wrap gap-2">
        <Choice isOn={isCredit} onPress={() => setCredit(true)}>
          {t('actions.credit')}
        </Choice>
        <Choice isOn={!isCredit} onPress={() => setCredit(false)}>
          {t('actions.debit')}
        </Choice>
        <span className="w-4" />
        <Choice isOn={asset === 'points'} onPress={() => setAsset('points')}>
          {t('players.points')}
        </Choice>
        <Choice isOn={asset === 'token'} onPress={() => setAsset('token')}>
          BSM
        </Choice>
      </div>
      <AmountField
        label={t('explorer.column.amount')}
        value={text}
        onChange={setText}
        aside={unitOf(asset)}
        error={typed === 'precise' || typed === 'large' ? t(`actions.${typed}`) : null}
      />
    </ActionDialog>
  );
}

function Choice(props: { isOn: boolean; onPress(): void; children: string }) {
  const { isOn, onPress, children } = props;
  return (
    <Button size="small" look={isOn ? 'primary' : 'plain'} aria-pressed={isOn} onClick={onPress}>
      {children}
    </Button>
  );
}
