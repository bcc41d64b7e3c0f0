import { useId } from 'react';

/** A labelled text field; an error is shown below and announced with it. */
export function Field({
  label,
  value,
  onChange,
  error = null,
  maxLength,
  mono = true,
  tall = false,
}: {
  label: string;
  value: string;
  onChange(value: string): void;
  error?: string | null;
  maxLength?: number;
  mono?: boolean;
  /** As tall as an amount field, for use next to one. */
  tall?: boolean;
}) {
  const id = useId();
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="text-fg-3 text-xs">
        {label}
      </label>
      <input
        id={id}
        value={value}
        maxLength={maxLength}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        aria-invalid={error !== null}
        aria-describedby={error === null ? undefined : `${id}-error`}
        onChange={(event) => onChange(event.target.value)}
        className={`mt-1 block w-full border bg-ink-2 ${tall ? 'h-14 rounded-md px-4' : 'h-11 rounded-sm px-3'} ${
          error === null ? 'border-line-strong' : 'border-coral'
        } ${mono ? 'font-mono text-sm' : 'text-base'}`}
      />
      {error !== null && (
        <p id={`${id}-error`} className="mt-1 text-coral text-xs">
          {error}
        </p>
      )}
    </div>
  );
}
