import type { ReactNode } from 'react';

/** A line about the connection, above the page. On a phone it is below the header, where it covers no control. */
export function LivePill({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <div
      className="live-state sticky top-16 z-10 flex items-center gap-2.5 border-line-strong border-b bg-ink-2 px-3.5 text-fg-2 text-sm md:fixed md:inset-[auto_auto_24px_32px] md:z-19 md:max-w-[420px] md:rounded-md md:border md:shadow-(--shadow)"
      role="status"
    >
      <span className="size-2 shrink-0 rounded-full bg-coral" aria-hidden="true" />
      <span className="flex-1 py-2.5">{text}</span>
      {children}
    </div>
  );
}
