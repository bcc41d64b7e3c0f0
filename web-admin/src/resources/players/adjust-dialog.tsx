import { readAmount } from '@reelbook/web/amount';
import { Button } from '@reelbook/web/components/button';
import { useState } from 'react';
import { ActionDialog } from '../../components/action-dialog.tsx';
import { AmountField } from '../../components/amount-field.tsx';
import type { DialogProps } from './data.ts';

type Asset = 'points' | 'token';

/** Credits or debits a player against the house. Above the threshold another operator must approve. */
export function AdjustDialog({ player, onClose }: DialogProps) {
  const { wallet } = player;
  const [asset, setAsset] = useState<Asset>('points');
  const [isCredit, setCredit] = useState(true);
  const [text, setText] = useState('');
  const typed = readAmount(asset, text);
  const minor = typeof typed === 'bigint' ? `${isCredit ? typed : -typed}` : null;
  return (
    <ActionDialog
      title="Adjust balance"
      action="Adjust balance"
      act={
        minor === null
          ? null
          : { call: 'adjustBalance', params: { wallet }, body: { amount: { asset, minor } } }
      }
      onClose={onClose}
    >
      <p className="mb-3 text-fg-2 text-sm">
        Moves an amount between the house and the player. Above the limit for one operator, another
        operator must approve it.
      </p>
      <div className="mb-3 flex flex-wrap gap-2">
        <Choice isOn={isCredit} onPress={() => setCredit(true)}>
          Credit
        </Choice>
        <Choice isOn={!isCredit} onPress={() => setCredit(false)}>
          Debit
        </Choice>
        <span className="w-4" />
        <Choice isOn={asset === 'points'} onPress={() => setAsset('points')}>
          Points
        </Choice>
        <Choice isOn={asset === 'token'} onPress={() => setAsset('token')}>
          BSM
        </Choice>
      </div>
      <AmountField label="Amount" asset={asset} value={text} onChange={setText} />
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
