import type { ComponentProps } from 'react';

const LOOKS = {
  primary:
    'bg-brass text-brass-ink font-semibold hover:brightness-110 disabled:bg-ink-3 disabled:text-fg-3',
  plain: 'border border-line-strong bg-ink-2 font-medium text-fg hover:bg-ink-3 disabled:text-fg-3',
} as const;

/** The shape of every button and of links that look like one. */
export function buttonClass(look: keyof typeof LOOKS = 'plain'): string {
  return `inline-flex min-h-11 items-center justify-center gap-2 rounded-md px-4 text-base
    transition-[filter,background-color,color] duration-150 ease-out
    disabled:cursor-not-allowed disabled:brightness-100 ${LOOKS[look]}`;
}

export function Button({
  look = 'plain',
  className = '',
  ...rest
}: ComponentProps<'button'> & { look?: keyof typeof LOOKS }) {
  return <button type="button" className={`${buttonClass(look)} ${className}`} {...rest} />;
}
