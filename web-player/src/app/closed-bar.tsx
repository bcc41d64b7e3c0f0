import { clockTime } from '@reelbook/web/format';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { paths } from '../lib/paths.ts';
import { useClosed } from '../lib/use-closed.ts';

/** On every page of an excluded or suspended player: that play is closed, and until when. */
export function ClosedBar() {
  const { t } = useTranslation();
  const closed = useClosed();
  if (!closed) return null;
  const { why, until } = closed;
  return (
    <div
      className="closed-bar flex flex-wrap items-center gap-x-4 border-line border-b bg-brass-soft px-3.5 text-sm md:px-8"
      role="status"
    >
      <p className="flex-1 py-2">
        <strong className="font-semibold">{t(`closed.${why}.title`)}</strong>
        {why === 'excluded' && (
          <span className="ml-2 inline-block font-mono">
            {until === null ? t('closed.forGood') : t('closed.until', { until: clockTime(until) })}
          </span>
        )}
      </p>
      <Link
        to={paths.limits}
        className="inline-flex min-h-11 items-center font-semibold text-brass"
      >
        {t('closed.more')}
      </Link>
    </div>
  );
}
