import { useId } from 'react';

/** A native select element; small in the filter bar of a list. */
export function Select<Value extends string>(props: {
  label: string;
  value: Value;
  onChange(value: Value): void;
  options: readonly (readonly [Value, string])[];
  disabled?: boolean;
  isSmall?: boolean;
}) {
  const { label, value, onChange, options, disabled, isSmall } = props;
  const id = useId();
  const size = isSmall ? 'h-11 rounded-sm px-2 text-sm' : 'h-14 rounded-md px-3 text-base';
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="text-fg-3 text-xs">
        {label}
      </label>
      <select
        id={id}
        value={value}
        disabled={disabled}
        onChange={(event) => onChange(event.target.value as Value)}
        className={`mt-1 block w-full border border-line-strong bg-ink-2 text-fg ${size}`}
      >
        {options.map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}
