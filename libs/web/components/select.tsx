/** A native select element. */
export function Select<Value extends string>(props: {
  label: string;
  value: Value;
  onChange(value: Value): void;
  options: readonly (readonly [Value, string])[];
  disabled?: boolean;
}) {
  const { label, value, onChange, options, disabled } = props;
  return (
    <label className="block min-w-0">
      <span className="text-fg-3 text-xs">{label}</span>
      <select
        value={value}
        disabled={disabled}
        onChange={(event) => onChange(event.target.value as Value)}
        className="mt-1 block h-14 w-full rounded-md border border-line-strong bg-ink-2 px-3 text-base text-fg"
      >
        {options.map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
