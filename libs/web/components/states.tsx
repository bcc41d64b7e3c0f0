import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';

/** A grey bar with the measures of what is loading. */
export function Skeleton({ className = '' }: { className?: string }) {
  // The blank gives it a baseline, so that what stands beside it does not move when the text comes.
  return (
    <span aria-hidden="true" className={`skeleton block select-none rounded-sm ${className}`}>
      {'\u00a0'}
    </span>
  );
}

/** Rows of a list that is loading. */
export function SkeletonRows({ count, className = 'h-12' }: { count: number; className?: string }) {
  const { t } = useTranslation();
  return (
    <div role="status" aria-label={t('common.loading')}>
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

/** What an empty list says: what will be here, and the first step. */
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

/** A list that could not be loaded, with the way to try again. */
export function LoadFailed({ retry }: { retry(): void }) {
  const { t } = useTranslation();
  return (
    <Empty action={<Button onClick={retry}>{t('common.tryAgain')}</Button>}>
      {t('common.loadFailed')}
    </Empty>
  );
}
