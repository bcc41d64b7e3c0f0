import type { Achievement } from '@reelbook/contract/player/profile';
import { CheckIcon, LockIcon } from '@reelbook/web/components/icons';
import { LoadFailed, Skeleton } from '@reelbook/web/components/states';
import { clockTime, formatInteger } from '@reelbook/web/format';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { PositionChip } from '../../components/position-chip.tsx';
import { api } from '../../lib/api.ts';
import { PLAYER_DATA } from '../../lib/queries.ts';

const COUNT = 6;

const achievements = queryOptions({
  queryKey: [PLAYER_DATA, 'achievements'],
  queryFn: () => api.call('achievements'),
});

/** The six achievements, each with the round that earned it, or its progress. */
export function Achievements() {
  const { t } = useTranslation();
  const { data, isError, refetch } = useQuery(achievements);
  return (
    <section className="mt-8">
      <h2 className="text-xl">{t('achievements.title')}</h2>
      <p className="mb-4 text-fg-3 text-xs">{t('achievements.counts')}</p>
      {!data && isError ? (
        <div className="rounded-lg border border-line bg-ink-1">
          <LoadFailed retry={() => void refetch()} />
        </div>
      ) : (
        <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3 lg:gap-4">
          {data
            ? data.map((one) => <Card key={one.name} one={one} />)
            : Array.from({ length: COUNT }, (_, place) => (
                <li key={place} className="h-[126px] rounded-lg border border-line bg-ink-1 p-5">
                  <Skeleton className="h-5 w-32" />
                </li>
              ))}
        </ul>
      )}
    </section>
  );
}

function Card({ one }: { one: Achievement }) {
  const { t } = useTranslation();
  const isEarned = one.earned_at !== null;
  const share = Math.min(1, one.reached / one.target);
  return (
    <li
      className={`flex min-h-[126px] flex-col rounded-lg border bg-ink-1 px-5 py-4 ${
        isEarned ? 'border-brass' : 'border-line'
      }`}
    >
      <div className="flex items-center justify-between gap-3">
        <h3 className={`text-base ${isEarned ? '' : 'text-fg-2'}`}>
          {t(`achievements.${one.name}.title`)}
        </h3>
        <span className={isEarned ? 'text-brass' : 'text-fg-3'}>
          {isEarned ? <CheckIcon /> : <LockIcon />}
          <span className="sr-only">
            {t(isEarned ? 'achievements.earned' : 'achievements.locked')}
          </span>
        </span>
      </div>
      <p className="mt-0.5 flex-1 text-fg-3 text-sm">
        {t(`achievements.${one.name}.text`, { target: formatInteger(one.target) })}
      </p>
      {one.earned_at && one.position ? (
        <p className="flex items-center justify-between gap-3">
          <time dateTime={one.earned_at} className="font-mono text-fg-2 text-xs">
            {clockTime(one.earned_at)}
          </time>
          <PositionChip position={one.position} own />
        </p>
      ) : (
        <div className="flex items-center gap-3">
          <div
            role="progressbar"
            aria-label={t(`achievements.${one.name}.title`)}
            aria-valuemin={0}
            aria-valuemax={100}
            aria-valuenow={Math.floor(share * 100)}
            className="h-1.5 flex-1 overflow-hidden rounded-full bg-ink-3"
          >
            <div className="h-full rounded-full bg-brass" style={{ width: `${share * 100}%` }} />
          </div>
          <span className="font-mono text-fg-3 text-xs">
            {formatInteger(Math.floor(one.reached))} / {formatInteger(one.target)}
          </span>
        </div>
      )}
    </li>
  );
}
