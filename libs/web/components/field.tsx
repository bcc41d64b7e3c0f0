import { useId } from 'react';

/** A labelled line of text; an error stands under it and is announced with it. */
export function Field({
  label,
  value,
  onChange,
  error = null,
  maxLength,
  mono = true,
}: {
  label: string;
  value: string;
  onChange(value: string): void;
  error?: string | null;
  maxLength?: number;
  mono?: boolean;
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
        className={`mt-1 block h-11 w-full rounded-sm border bg-ink-2 px-3 ${
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
