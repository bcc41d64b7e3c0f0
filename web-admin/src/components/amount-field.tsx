import { AmountField as Field } from '@reelbook/web/components/amount-field';
import type { ComponentProps } from 'react';
import { unitOf } from '../lib/amounts.ts';

const FAULT_TEXTS = {
  invalid: 'Not an amount. Write it like 1,000.50.',
  precise: 'Too many decimal places.',
  large: 'Above the largest amount.',
};

/** The amount field with this app's texts and the unit at its right. */
export function AmountField(props: Omit<ComponentProps<typeof Field>, 'faultText' | 'aside'>) {
  return <Field {...props} aside={unitOf(props.asset)} faultText={(fault) => FAULT_TEXTS[fault]} />;
}
