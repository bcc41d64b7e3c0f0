import type { ComponentProps } from 'react';

const LOOKS = {
  primary:
    'bg-brass text-brass-ink font-semibold hover:brightness-110 disabled:bg-ink-3 disabled:text-fg-3 aria-disabled:bg-ink-3 aria-disabled:text-fg-3',
  danger:
    'border border-coral bg-ink-2 font-medium text-coral hover:bg-ink-3 disabled:border-line disabled:text-fg-3',
  plain: 'border border-line-strong bg-ink-2 font-medium text-fg hover:bg-ink-3 disabled:text-fg-3',
} as const;

const SIZES = {
  normal: 'min-h-11 rounded-md px-4 text-base',
  /** For rows of buttons on a desktop; on a phone it is as large as the others. */
  small: 'min-h-11 rounded-sm px-3 text-sm md:min-h-8',
} as const;

/** The style of buttons, and of links that look like buttons. */
export function buttonClass(
  look: keyof typeof LOOKS = 'plain',
  size: keyof typeof SIZES = 'normal',
): string {
  return `inline-flex items-center justify-center gap-2 ${SIZES[size]}
    transition-[filter,background-color,color] duration-150 ease-out
    disabled:cursor-not-allowed disabled:brightness-100 ${LOOKS[look]}`;
}

export function Button({
  look = 'plain',
  size = 'normal',
  className = '',
  ...rest
}: ComponentProps<'button'> & { look?: keyof typeof LOOKS; size?: keyof typeof SIZES }) {
  return <button type="button" className={`${buttonClass(look, size)} ${className}`} {...rest} />;
}
