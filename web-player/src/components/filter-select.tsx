import { useId } from 'react';

/** A select of a filter bar, smaller than a field of a form. */
export function FilterSelect<Value extends string>(props: {
  label: string;
  value: Value;
  onChange(value: Value): void;
  options: readonly (readonly [Value, string])[];
}) {
  const { label, value, onChange, options } = props;
  const id = useId();
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="text-fg-3 text-xs">
        {label}
      </label>
      <select
        id={id}
        value={value}
        onChange={(event) => onChange(event.target.value as Value)}
        className="mt-1 block h-11 w-full rounded-sm border border-line-strong bg-ink-2 px-2 text-fg text-sm"
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
