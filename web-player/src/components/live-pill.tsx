import type { ReactNode } from 'react';

/** A line about the connection, above the page. */
export function LivePill({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <div className="live-state" role="status">
      <span className="size-2 shrink-0 rounded-full bg-coral" aria-hidden="true" />
      <span className="flex-1 py-2.5">{text}</span>
      {children}
    </div>
  );
}
