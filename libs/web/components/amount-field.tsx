import type { Asset } from '@reelbook/ledger/money';
import { type ReactNode, useId } from 'react';
import { type AmountFault, readAmount } from '../amount.ts';

/**
 * A decimal amount. Typed text stays as it is, and what is no amount is refused in words. `aside` is shown inside, at the
 * right; `error` comes before what is wrong with the text.
 */
export function AmountField(props: {
  label: string;
  asset: Asset;
  /** Why the text is no amount, for the user. */
  faultText(fault: Exclude<AmountFault, 'empty' | 'zero'>): string;
  value: string;
  onChange(value: string): void;
  aside?: ReactNode;
  error?: string | null;
  hint?: ReactNode;
  disabled?: boolean;
}) {
  const { label, asset, value, onChange, aside, hint, disabled = false } = props;
  const id = useId();
  const read = readAmount(asset, value);
  const isAmount = typeof read === 'bigint' || read === 'empty' || read === 'zero';
  const error = props.error ?? (isAmount ? null : props.faultText(read));
  const isWrong = error !== null;
  return (
    <div>
      <label htmlFor={id} className="text-fg-3 text-xs">
        {label}
      </label>
      <div
        className={`mt-1 flex h-14 items-center gap-2 rounded-md border bg-ink-2 pr-2 pl-4 focus-within:border-brass ${
          isWrong ? 'border-coral' : 'border-line-strong'
        }`}
      >
        <input
          id={id}
          inputMode="decimal"
          autoComplete="off"
          placeholder="0"
          value={value}
          disabled={disabled}
          aria-invalid={isWrong}
          aria-describedby={`${id}-hint`}
          onChange={(event) => onChange(event.target.value)}
          // The width of no content, which would be that of 20 characters.
          className="h-full w-full min-w-0 flex-1 bg-transparent font-mono text-lg placeholder:text-fg-3 focus-visible:outline-none"
        />
        {aside}
      </div>
      <p
        id={`${id}-hint`}
        role={isWrong ? 'alert' : undefined}
        className={`mt-1.5 min-h-5 text-xs ${isWrong ? 'text-coral' : 'text-fg-3'}`}
      >
        {error ?? hint}
      </p>
    </div>
  );
}
