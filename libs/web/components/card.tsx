import type { ReactNode } from 'react';

/** A titled part of a page; `aside` is at the right of the title. */
export function Card({
  title,
  aside,
  children,
  className = '',
}: {
  title: ReactNode;
  aside?: ReactNode;
  children: ReactNode;
  className?: string;
}) {
  return (
    <section className={`rounded-lg border border-line bg-ink-1 px-5 py-4 ${className}`}>
      <header className="mb-2 flex min-h-8 items-center justify-between gap-4">
        <h2 className="text-lg">{title}</h2>
        {aside !== undefined && <div className="text-sm text-fg-3">{aside}</div>}
      </header>
      {children}
    </section>
  );
}

/** One line of a card: a label on the left, its value on the right. */
export function Line({ label, children }: { label: ReactNode; children: ReactNode }) {
  return (
    <div className="flex items-baseline justify-between gap-4 border-line border-b py-2.5 text-sm last:border-0">
      <dt className="text-fg-2">{label}</dt>
      <dd className="min-w-0 text-right font-mono">{children}</dd>
    </div>
  );
}
