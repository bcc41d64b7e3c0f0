import type { User } from '@reelbook/contract/player/profile';
import { buttonClass } from '@reelbook/web/components/button';
import { Skeleton } from '@reelbook/web/components/states';
import { formatInteger, points } from '@reelbook/web/format';
import { useStore } from '@reelbook/web/store';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Visitor } from '../../components/visitor.tsx';
import { api } from '../../lib/api.ts';
import { paths } from '../../lib/paths.ts';
import { PLAYER_DATA } from '../../lib/queries.ts';
import { session } from '../../lib/session-store.ts';
import { Achievements } from './achievements.tsx';
import { Nickname } from './nickname.tsx';
import { Sessions } from './sessions.tsx';

const slotStats = queryOptions({
  queryKey: [PLAYER_DATA, 'slot-stats'],
  queryFn: () => api.call('slotStats'),
});
/** The specification's, used when the server's cannot be loaded. */
const NO_STATS = { total_games: 0, total_wins: 0, win_rate: 0, total_win: 0 };

const profile = queryOptions({
  queryKey: [PLAYER_DATA, 'profile'],
  queryFn: () => api.call('profile'),
});

/** The player's identity and four figures. */
export function Profile() {
  const { t } = useTranslation();
  const signedIn = useStore(session);
  if (!signedIn) {
    return <Visitor title={t('nav.profile')}>{t('profile.visitor')}</Visitor>;
  }
  return (
    <>
      <h1 className="sr-only">{t('nav.profile')}</h1>
      <Identity kept={signedIn.user} />
      <Figures />
      <Achievements />
      <Sessions />
      <Own />
    </>
  );
}

function Identity({ kept }: { kept: User }) {
  const { t } = useTranslation();
  const { data } = useQuery(profile);
  const user = { ...(data ?? kept), nickname: kept.nickname, display_name: kept.display_name };
  const share = Math.min(1, user.experience / user.next_level_experience);
  return (
    <section className="cabinet mb-4 lg:mb-6">
      <Nickname user={user} />
      <p className="mt-1 break-all font-mono text-fg-3 text-xs">{user.wallet_address}</p>
      <div className="mt-6 flex items-baseline justify-between text-sm">
        <span className="font-semibold">{t('profile.level', { level: user.level })}</span>
        <span className="font-mono text-fg-3">
          {formatInteger(user.experience)} / {formatInteger(user.next_level_experience)} XP
        </span>
      </div>
      <div
        role="progressbar"
        aria-label={t('profile.experience')}
        aria-valuemin={0}
        aria-valuemax={user.next_level_experience}
        aria-valuenow={Math.min(user.experience, user.next_level_experience)}
        className="mt-2 h-2 overflow-hidden rounded-full bg-ink-3"
      >
        <div className="h-full rounded-full bg-brass" style={{ width: `${share * 100}%` }} />
      </div>
      <p className="mt-2 text-fg-3 text-xs">{t('profile.counts')}</p>
    </section>
  );
}

function Figures() {
  const { t } = useTranslation();
  const { data: known, isError } = useQuery(slotStats);
  const data = known ?? (isError ? NO_STATS : undefined);
  const figures = [
    ['games', data && formatInteger(data.total_games)],
    ['wins', data && formatInteger(data.total_wins)],
    ['winRate', data && `${data.win_rate.toFixed(2)} %`],
    ['earnings', data && points(data.total_win)],
  ] as const;
  return (
    <section aria-label={t('profile.slotOnly')}>
      {!data && (
        <p className="sr-only" role="status">
          {t('common.loading')}
        </p>
      )}
      <dl className="grid grid-cols-2 gap-3 md:grid-cols-4 md:gap-4">
        {figures.map(([key, value]) => (
          <div key={key} className="rounded-lg border border-line bg-ink-1 px-5 py-4">
            <dt className="text-fg-3 text-sm">{t(`profile.${key}`)}</dt>
            <dd className="mt-1 h-7 font-medium font-mono text-xl">
              {value ?? <Skeleton className="h-6 w-20" />}
            </dd>
          </div>
        ))}
      </dl>
      <p className="mt-2 text-fg-3 text-xs">{t('profile.slotOnly')}</p>
    </section>
  );
}

/** Links to the player's other pages. */
function Own() {
  const { t } = useTranslation();
  return (
    <nav className="mt-8 flex flex-wrap gap-3" aria-label={t('profile.more')}>
      {(['myData', 'history', 'limits', 'fairness', 'notifications'] as const).map((page) => (
        <Link key={page} to={paths[page]} className={buttonClass('plain')}>
          {t(`nav.${page}`)}
        </Link>
      ))}
    </nav>
  );
}
