import { buttonClass } from '@reelbook/web/components/button';
import { Skeleton } from '@reelbook/web/components/states';
import { formatInteger } from '@reelbook/web/format';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { paths } from '../../lib/paths.ts';
import { health } from '../../lib/queries.ts';
import { Featured, StartPlaying } from './featured.tsx';
import { Figures } from './figures.tsx';
import { HeroReels } from './hero-reels.tsx';
import { ProofCards } from './proof-cards.tsx';
import { RecentWins } from './recent-wins.tsx';

/** The title, one live number from the ledger, and the play buttons. */
export function Home() {
  const { t } = useTranslation();
  return (
    <>
      <section className="grid items-center gap-x-12 gap-y-8 py-6 md:py-14 lg:grid-cols-[1fr_auto]">
        <div className="max-w-[620px]">
          <h1 className="text-2xl md:text-3xl">{t('home.title')}</h1>
          <p className="mt-4 max-w-[520px] text-fg-2 text-lg">{t('home.lead')}</p>
          <div className="mt-8 flex flex-wrap gap-3">
            <Link
              to={paths.slotMachine}
              className={`${buttonClass('primary')} min-h-12 px-6 max-sm:w-full`}
            >
              {t('home.play')}
            </Link>
            <Link
              to={paths.games}
              className={`${buttonClass('plain')} min-h-12 px-6 max-sm:w-full`}
            >
              {t('home.explore')}
            </Link>
          </div>
        </div>
        <div className="lg:w-[420px]">
          <HeroReels />
          <LedgerHead />
        </div>
      </section>
      <RecentWins />
      <div className="below-fold">
        <ProofCards />
      </div>
      <div className="below-fold">
        <Featured />
      </div>
      <div className="below-fold">
        <Figures />
        <StartPlaying />
      </div>
    </>
  );
}

/** The number of events in the ledger, without gaps. */
function LedgerHead() {
  const { t } = useTranslation();
  const { data } = useQuery(health);
  return (
    <div>
      <p className="text-fg-3 text-sm">{t('home.head')}</p>
      <p className="mt-1 h-[52px] font-medium font-mono text-3xl tracking-tight">
        {data ? (
          <>
            <span className="text-brass">#</span>
            {formatInteger(data.position)}
          </>
        ) : (
          <Skeleton className="h-11 w-44" />
        )}
      </p>
      <p className="mt-1 max-w-[260px] text-fg-2 text-sm">{t('home.headHint')}</p>
    </div>
  );
}
