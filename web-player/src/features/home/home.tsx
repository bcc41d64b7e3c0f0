import { buttonClass } from '@reelbook/web/components/button';
import {
  ArrowIcon,
  GamesIcon,
  PauseIcon,
  RankIcon,
  ReelsIcon,
  WalletIcon,
} from '@reelbook/web/components/icons';
import { Skeleton } from '@reelbook/web/components/states';
import { useStore } from '@reelbook/web/store';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { api } from '../../lib/api.ts';
import { useGameTexts } from '../../lib/game-texts.ts';
import { paths } from '../../lib/paths.ts';
import { CONFIG } from '../../lib/queries.ts';
import { session } from '../../lib/session-store.ts';
import { LedgerHead, LiveLedger } from './live-ledger.tsx';
import { RecentWins } from './recent-wins.tsx';

const CARDS = [
  { key: 'slot', title: null, to: paths.slotMachine, icon: ReelsIcon },
  { key: 'mini', title: 'featured.mini.title', to: `${paths.games}?filter=mini`, icon: GamesIcon },
  { key: 'rank', title: 'nav.leaderboard', to: paths.leaderboard, icon: RankIcon },
  { key: 'wallet', title: 'nav.wallet', to: paths.wallet, icon: WalletIcon },
] as const;

const homeFigures = queryOptions({
  queryKey: [CONFIG, 'home'],
  queryFn: () => api.call('homeFigures'),
  staleTime: 60_000,
});

/** Whether the operators paused the slot machine; shown with the words of the hall. */
const usePaused = () => useQuery(homeFigures).data?.slot_machine_enabled === false;

/** Links from home to other pages. */
export function Featured() {
  const { t } = useTranslation();
  const textsOf = useGameTexts();
  const paused = usePaused() && 'slot';
  return (
    <section className="mt-12">
      <h2 className="mb-4 text-xl">{t('featured.title')}</h2>
      <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-4 lg:gap-4">
        {CARDS.map(({ key, title, to, icon: Icon }) => (
          <li key={key}>
            <Link
              to={to}
              className="flex h-full min-h-20 items-center gap-4 rounded-lg border border-line bg-ink-1 px-5 py-4 transition-colors duration-150 hover:border-line-strong"
            >
              <span className="grid size-11 shrink-0 place-items-center rounded-md bg-brass-soft text-brass">
                <Icon />
              </span>
              <span className="min-w-0 flex-1">
                <span className="block font-semibold">
                  {title ? t(title) : textsOf('slot-machine').name}
                </span>
                <span className="block text-fg-3 text-sm">
                  {t(key === paused ? 'home.paused' : `featured.${key}.text`)}
                </span>
              </span>
              <span className="text-fg-3">{key === paused ? <PauseIcon /> : <ArrowIcon />}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The call to action at the end of the page, while the slot machine is open. */
export function StartPlaying() {
  const { t } = useTranslation();
  const signedIn = useStore(session) !== null;
  if (usePaused()) return null;
  return (
    <section className="cabinet mt-12 flex flex-wrap items-center justify-between gap-5">
      <div>
        <h2 className="text-xl">{t('featured.start')}</h2>
        <p className="mt-1 text-fg-2">
          {t(signedIn ? 'featured.startTextIn' : 'featured.startText')}
        </p>
      </div>
      <Link
        to={paths.slotMachine}
        className={`${buttonClass('primary')} min-h-12 px-6 max-sm:w-full`}
      >
        {t('featured.startButton')}
      </Link>
    </section>
  );
}

const PLACES = [0, 1, 2, 3] as const;

/** Four figures, set by the operators or counted in the ledger; the text shows which. */
export function Figures() {
  const { t } = useTranslation();
  const { data, isError } = useQuery(homeFigures);
  if (isError && !data) return null;
  return (
    <section className="mt-10" aria-label={t('figures.label')}>
      <dl className="grid grid-cols-2 rounded-lg border border-line md:grid-cols-4">
        {PLACES.map((place) => {
          const figure = data?.figures[place];
          return (
            <div key={place} className="figure flex flex-col-reverse px-5 py-4">
              <dt className="text-fg-3 text-sm">
                {figure ? t(`figures.${figure.name}`) : <Skeleton className="h-4 w-20" />}
              </dt>
              <dd className="font-medium font-mono text-xl">
                {figure?.text ?? <Skeleton className="mb-1 h-6 w-16" />}
              </dd>
            </div>
          );
        })}
      </dl>
      <p className="mt-2 min-h-5 text-fg-3 text-xs">
        {data && t(data.live ? 'figures.counted' : 'figures.set')}
      </p>
    </section>
  );
}

const SHOWN = [2, 1, 3] as const;

/** The drawings are not needed for the first paint: empty reels are shown until they are loaded. */
const HeroSymbol = lazy(async () => ({
  default: (await import('./hero-symbol.tsx')).HeroSymbol,
}));

/** A preview of the reels; hidden on a phone, where text and buttons need the room. */
export function HeroReels() {
  return (
    <div className="hero-reels" aria-hidden="true">
      {SHOWN.map((id) => (
        <div key={id} className="hero-reel">
          <Suspense fallback={null}>
            <HeroSymbol id={id} />
          </Suspense>
        </div>
      ))}
    </div>
  );
}

const PROOF_CARDS = [
  { key: 'fast', to: paths.slotMachine },
  { key: 'fair', to: paths.fairness },
  { key: 'open', to: paths.wallet },
] as const;

/** Three promises, each with the page where it can be checked. */
export function ProofCards() {
  const { t } = useTranslation();
  const paused = usePaused() && 'fast';
  return (
    <section className="mt-12">
      <h2 className="mb-4 text-xl">{t('home.why')}</h2>
      <div className="grid gap-4 md:grid-cols-3">
        {PROOF_CARDS.map(({ key, to }) => (
          <Link
            key={key}
            to={to}
            className="group flex flex-col rounded-lg border border-line bg-ink-1 px-5 py-5 transition-colors duration-150 hover:border-line-strong"
          >
            <h3 className="text-lg">{t(`home.${key}.title`)}</h3>
            <p className="mt-2 mb-5 flex-1 text-fg-2 text-sm">{t(`home.${key}.text`)}</p>
            <span
              className={`flex items-center gap-2 font-medium text-sm ${key === paused ? 'text-fg-3' : 'text-brass'}`}
            >
              {t(key === paused ? 'home.paused' : `home.${key}.link`)}
              {key === paused ? <PauseIcon /> : <ArrowIcon />}
            </span>
          </Link>
        ))}
      </div>
    </section>
  );
}

/** The title, the head of the ledger, the play buttons, and what happens now. */
export function Home() {
  const { t } = useTranslation();
  const { name } = useGameTexts()('slot-machine');
  const paused = usePaused();
  return (
    <>
      <section className="grid items-center gap-x-12 gap-y-8 py-6 md:py-14 lg:grid-cols-[1fr_auto]">
        <div className="max-w-[620px]">
          <h1 className="text-2xl md:text-3xl">{t('home.title')}</h1>
          <p className="mt-4 max-w-[520px] text-fg-2 text-lg">{t('home.lead')}</p>
          <div className="mt-8 flex flex-wrap gap-3">
            <Link
              to={paths.slotMachine}
              className={`${buttonClass(paused ? 'plain' : 'primary')} min-h-12 px-6 max-sm:w-full`}
            >
              {t(paused ? 'entries.ofGame' : 'home.play', { game: name, what: t('home.paused') })}
              {paused && <PauseIcon />}
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
      <LiveLedger />
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
