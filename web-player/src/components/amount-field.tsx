import type { Asset } from '@reelbook/ledger/money';
import { typedAmount } from '@reelbook/web/amount';
import { AmountField as Field } from '@reelbook/web/components/amount-field';
import { Button } from '@reelbook/web/components/button';
import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';

/** The amount field with this app's texts. */
export function AmountField(props: Omit<ComponentProps<typeof Field>, 'faultText'>) {
  const { t } = useTranslation();
  return <Field {...props} faultText={(fault) => t(`amount.${fault}`)} />;
}

/** Fills in the most that can be sent, in minor units; none while that is unknown or 0. */
export function MaxButton(props: {
  asset: Asset;
  most: bigint | null;
  disabled: boolean;
  onChoose(typed: string): void;
}) {
  const { asset, most, disabled, onChoose } = props;
  const { t } = useTranslation();
  return (
    <Button
      className="min-h-10 px-3 font-mono text-sm"
      disabled={!most || disabled}
      onClick={() => most && onChoose(typedAmount(asset, most))}
    >
      {t('exchange.max')}
    </Button>
  );
}
