import { type ReactNode, useId } from 'react';
import { AMOUNT_TEXT_MAX } from '../amount.ts';

/** A decimal amount: accepts only digits and one decimal point. `aside` is shown inside, at the right. */
export function AmountField(props: {
  label: string;
  value: string;
  onChange(value: string): void;
  aside?: ReactNode;
  error?: string | null;
  hint?: ReactNode;
  disabled?: boolean;
}) {
  const { label, value, onChange, aside, error = null, hint, disabled = false } = props;
  const id = useId();
  const isWrong = error !== null;
  return (
    <div>
      <label htmlFor={id} className="text-fg-3 text-xs">
        {label}
      </label>
      <div
        className={`amount-field mt-1 flex h-14 items-center gap-2 rounded-md border bg-ink-2 pr-2 pl-4 ${
          isWrong ? 'border-coral' : 'border-line-strong'
        }`}
      >
        <input
          id={id}
          inputMode="decimal"
          autoComplete="off"
          placeholder="0"
          maxLength={AMOUNT_TEXT_MAX}
          value={value}
          disabled={disabled}
          aria-invalid={isWrong}
          aria-describedby={`${id}-hint`}
          onChange={(event) => onChange(readTyped(event.target.value))}
          className="h-full min-w-0 flex-1 bg-transparent font-mono text-lg"
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

/** Thousands in groups, as this site formats them: pasting "1,000.50" must not become 1. */
const GROUPED = /^\s*\d{1,3}(,\d{3})+(\.\d*)?\s*$/;
/** The same in the European format; only recognized when both separators occur. */
const GROUPED_BY_POINTS = /^\s*\d{1,3}(\.\d{3})+,\d*\s*$/;

/** The typed or pasted text as digits and one decimal point; a comma that groups no thousands is the decimal point. */
export function readTyped(text: string): string {
  const grouping = GROUPED.test(text) ? ',' : GROUPED_BY_POINTS.test(text) ? '.' : null;
  const plain = grouping === null ? text : text.replaceAll(grouping, '');
  const [integer = '', ...rest] = plain
    .replaceAll(',', '.')
    .replace(/[^\d.]/g, '')
    .split('.');
  return rest.length === 0 ? integer : `${integer}.${rest.join('')}`;
}
