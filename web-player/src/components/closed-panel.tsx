import { buttonClass } from '@reelbook/web/components/button';
import { PauseIcon } from '@reelbook/web/components/icons';
import { clockTime } from '@reelbook/web/format';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { paths } from '../lib/paths.ts';
import { gameConfigs } from '../lib/queries.ts';
import type { Closed } from '../lib/use-closed.ts';

const LOOK_MS = 60_000;

/** In place of the controls that are closed: why, until when, and what is still possible. */
export function ClosedPanel({ closed }: { closed: Closed }) {
  const { t } = useTranslation();
  const { why, until } = closed;
  const { pathname } = useLocation();
  // Visitors have no live channel.
  useQuery({ ...gameConfigs, enabled: why === 'paused', refetchInterval: LOOK_MS });
  return (
    <div
      className="closed mt-4 flex gap-4 rounded-md border border-line-strong bg-ink-2 p-5 max-[400px]:flex-col max-[400px]:gap-3"
      role="status"
    >
      <span className="grid size-11 flex-none place-items-center rounded-full bg-brass-soft text-brass">
        <PauseIcon />
      </span>
      <div className="min-w-0 flex-1">
        <p className="font-semibold text-lg">{t(`closed.${why}.title`)}</p>
        {why === 'excluded' && (
          <p className="font-medium font-mono text-brass">
            {until === null ? t('closed.forGood') : t('closed.until', { until: clockTime(until) })}
          </p>
        )}
        <p className="mt-1 text-fg-2 text-sm">{t(`closed.${why}.text`)}</p>
        {(why === 'excluded' || why === 'suspended') && (
          <div className="mt-4 flex flex-wrap gap-3">
            {pathname !== paths.wallet && (
              <Link to={paths.wallet} className={buttonClass('plain')}>
                {t('slot.toWallet')}
              </Link>
            )}
            {pathname !== paths.limits && (
              <Link to={paths.limits} className={buttonClass('plain')}>
                {t('limits.title')}
              </Link>
            )}
          </div>
        )}
      </div>
    </div>
  );
}
