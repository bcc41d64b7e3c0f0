import type { ReactNode } from 'react';
import { CheckIcon } from './icons.tsx';

export const TONES = {
  plain: 'border-line bg-ink-2 text-fg-2',
  good: 'border-transparent bg-mint-soft text-mint',
  bad: 'border-transparent bg-coral-soft text-coral',
  brass: 'border-transparent bg-brass-soft text-brass',
} as const;

/** A short status. The green one with a tick means: recomputed in this browser. */
export function Badge({
  tone = 'plain',
  tick = false,
  children,
}: {
  tone?: keyof typeof TONES;
  tick?: boolean;
  children: ReactNode;
}) {
  return (
    <span
      className={`inline-flex min-h-7 items-center gap-1.5 rounded-full border px-2.5 text-xs font-medium ${TONES[tone]}`}
    >
      {tick && <CheckIcon />}
      {children}
    </span>
  );
}
