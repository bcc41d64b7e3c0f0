import { type ChangeEvent, type KeyboardEvent, useId } from 'react';

/** A labelled text field; an error is shown below and announced with it. */
export function Field({
  label,
  value,
  onChange,
  error = null,
  maxLength,
  mono = true,
  tall = false,
  lines = 1,
  type,
}: {
  label: string;
  value: string;
  onChange(value: string): void;
  error?: string | null;
  maxLength?: number;
  mono?: boolean;
  /** As tall as an amount field, for use next to one. */
  tall?: boolean;
  /** More than one for a text without spaces that is to be seen in full on a narrow screen. */
  lines?: number;
  type?: 'date';
}) {
  const id = useId();
  const Input = lines > 1 ? 'textarea' : 'input';
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="text-fg-3 text-xs">
        {label}
      </label>
      <Input
        id={id}
        {...(lines > 1 ? { rows: lines, onKeyDown: submitOnEnter } : { type })}
        value={value}
        maxLength={maxLength}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        aria-invalid={error !== null}
        aria-describedby={error === null ? undefined : `${id}-error`}
        onChange={({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
          onChange(lines > 1 ? target.value.replace(/\s/g, '') : target.value)
        }
        className={`mt-1 block w-full border bg-ink-2 ${tall ? 'h-14 rounded-md px-4' : 'h-11 rounded-sm px-3'} ${
          lines > 1 ? 'resize-none content-center break-all py-1.5 leading-5' : ''
        } ${
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

function submitOnEnter(event: KeyboardEvent<HTMLInputElement | HTMLTextAreaElement>): void {
  if (event.key !== 'Enter') return;
  event.preventDefault();
  if (!event.repeat) event.currentTarget.form?.requestSubmit();
}
