import { AmountField as Field } from '@reelbook/web/components/amount-field';
import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';

/** The amount field with this app's texts. */
export function AmountField(props: Omit<ComponentProps<typeof Field>, 'faultText'>) {
  const { t } = useTranslation();
  return <Field {...props} faultText={(fault) => t(`amount.${fault}`)} />;
}
