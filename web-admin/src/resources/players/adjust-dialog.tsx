import { readAmount } from '@reelbook/web/amount';
import { AmountField } from '@reelbook/web/components/amount-field';
import { Button } from '@reelbook/web/components/button';
import { shortAddress } from '@reelbook/web/format';
import { toast } from '@reelbook/web/toasts';
import { useState } from 'react';
import { ActDialog } from '../../components/act-dialog.tsx';
import { Amount } from '../../components/chips.tsx';
import { amountText, decimalText, unitOf } from '../../lib/amounts.ts';
import { api } from '../../lib/api.ts';
import { useTexts } from '../../lib/texts.ts';
import type { ActProps } from './data.ts';

type Asset = 'points' | 'token';

/** Give to a player or take, from and to the house; above the threshold it waits for another operator. */
export function AdjustDialog({ player, onClose }: ActProps) {
  const { t } = useTexts();
  const { wallet } = player;
  const [asset, setAsset] = useState<Asset>('points');
  const [isGiven, setGiven] = useState(true);
  const [text, setText] = useState('');
  const typed = readAmount(asset, text);
  const isReady = typeof typed === 'bigint';
  const delta = isReady ? (isGiven ? typed : -typed) : 0n;
  const held = player.balances.find((one) => one.asset === asset);
  const leg = (minor: bigint) => <Amount amount={{ asset, minor: String(minor) }} signed />;
  return (
    <ActDialog
      title={t('acts.adjust')}
      action={t('acts.adjust')}
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
      onAct={async ({ reason, idempotencyKey }) => {
        const done = await api.call('adjustBalance', {
          params: { wallet },
          body: { amount: { asset, minor: String(delta) }, reason },
          idempotencyKey,
        });
        if (done.status === 'waiting') toast(t('acts.waits'));
        return done;
      }}
      onClose={onClose}
    >
      <p className="mb-3 text-fg-2 text-sm">{t('acts.adjustWhat')}</p>
      <div className="mb-3 flex flex-wrap gap-2">
        <Choice isOn={isGiven} onPress={() => setGiven(true)}>
          {t('acts.give')}
        </Choice>
        <Choice isOn={!isGiven} onPress={() => setGiven(false)}>
          {t('acts.take')}
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
        error={typed === 'precise' || typed === 'large' ? t(`acts.${typed}`) : null}
      />
    </ActDialog>
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
