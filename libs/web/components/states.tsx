import type { ReactNode } from 'react';
import { useText } from '../texts.ts';
import { Button } from './button.tsx';

/** A grey bar with the size of the loading content. */
export function Skeleton({ className = '' }: { className?: string }) {
  // The non-breaking space gives it a baseline, so that neighbouring content does not move when the text arrives.
  return (
    <span aria-hidden="true" className={`skeleton block select-none rounded-sm ${className}`}>
      {'\u00a0'}
    </span>
  );
}

/** Placeholder rows of a loading list. */
export function SkeletonRows({ count, className = 'h-12' }: { count: number; className?: string }) {
  const textOf = useText();
  return (
    <div role="status" aria-label={textOf('loading')}>
      {Array.from({ length: count }, (_, row) => (
        <div
          key={row}
          className={`flex items-center border-line border-b last:border-0 ${className}`}
        >
          <Skeleton className="h-4 w-full" />
        </div>
      ))}
    </div>
  );
}

/** An empty list: what will be here, and the first step. */
export function Empty({
  children,
  action,
  className = '',
}: {
  children: ReactNode;
  action?: ReactNode;
  className?: string;
}) {
  return (
    <div
      className={`flex flex-col items-center gap-4 px-4 py-8 text-center text-fg-2 text-sm ${className}`}
    >
      <p>{children}</p>
      {action}
    </div>
  );
}

/** A list that failed to load, with a retry button. */
export function LoadFailed({ retry }: { retry(): void }) {
  const textOf = useText();
  return (
    <Empty action={<Button onClick={retry}>{textOf('tryAgain')}</Button>}>
      {textOf('loadFailed')}
    </Empty>
  );
}
