import { AmountField as Field } from '@reelbook/web/components/amount-field';
import type { ComponentProps } from 'react';
import { unitOf } from '../lib/amounts.ts';
import { useTexts } from '../lib/texts.ts';

/** The amount field with this app's texts and the unit at its right. */
export function AmountField(props: Omit<ComponentProps<typeof Field>, 'faultText' | 'aside'>) {
  const { t } = useTexts();
  return (
    <Field
      {...props}
      aside={unitOf(props.asset)}
      faultText={(fault) => t(`actions.amount.${fault}`)}
    />
  );
}
