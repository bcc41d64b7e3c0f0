import { lazy, Suspense, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, Outlet, useLocation, useSearchParams } from 'react-router';
import {
  FairnessIcon,
  GamesIcon,
  HomeIcon,
  Logo,
  ProfileIcon,
  RankIcon,
} from '../components/icons.tsx';
import { ToastRegion } from '../components/toast-region.tsx';
import { Account } from '../features/session/account.tsx';
import { connectDialog } from '../lib/connect-dialog.ts';
import { paths, ROUND_PARAM } from '../lib/paths.ts';
import { useStore } from '../lib/store.ts';
import { ErrorBanner } from './error-banner.tsx';
import { LiveState } from './live-state.tsx';
import { Preferences } from './preferences.tsx';

const ConnectDialog = lazy(async () => {
  const { ConnectDialog: part } = await import('../features/session/connect-dialog.tsx');
  return { default: part };
});
const RoundDialog = lazy(async () => {
  const { RoundDialog: part } = await import('../features/fairness/round-dialog.tsx');
  return { default: part };
});

const PAGES = [
  { key: 'home', to: paths.home, icon: HomeIcon },
  { key: 'games', to: paths.games, icon: GamesIcon, holds: paths.slotMachine },
  { key: 'fairness', to: paths.fairness, icon: FairnessIcon },
  { key: 'leaderboard', to: paths.leaderboard, icon: RankIcon },
  { key: 'profile', to: paths.profile, icon: ProfileIcon },
] as const;

/** What stands around every page: header, navigation, the page, and what lies over it. */
export function Shell() {
  const { t } = useTranslation();
  return (
    <>
      <a href="#main" className="skip-link">
        {t('nav.skip')}
      </a>
      <header className="sticky top-0 z-20 border-line border-b bg-ink-0">
        <div className="flex h-16 items-center gap-3 px-4 md:px-8">
          <Link to={paths.home} className="flex min-h-11 items-center gap-2.5 rounded-sm text-lg">
            <Logo />
            <span className="font-bold tracking-tight">Reelbook</span>
          </Link>
          <TopNavigation />
          <div className="ml-auto flex items-center gap-3">
            <Account />
          </div>
        </div>
      </header>
      <ErrorBanner />
      <Page />
      <LiveState />
      <BottomNavigation />
      <ToastRegion />
      <Overlays />
    </>
  );
}

function Page() {
  const { pathname } = useLocation();
  const main = useRef<HTMLElement>(null);
  const shown = useRef(pathname);
  const { t } = useTranslation();
  const page = usePages().find(({ current }) => current);
  const title = page ? `${t(`nav.${page.key}`)} · Reelbook` : 'Reelbook';
  useEffect(() => {
    document.title = title;
  }, [title]);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    window.scrollTo(0, 0);
    main.current?.focus({ preventScroll: true });
  }, [pathname]);
  return (
    <main
      ref={main}
      id="main"
      tabIndex={-1}
      className="mx-auto w-full max-w-[1180px] px-3.5 pt-4 pb-28 md:px-8 md:pt-8 md:pb-16"
    >
      <Suspense fallback={<div className="min-h-[70vh]" />}>
        <Outlet />
        <Preferences />
      </Suspense>
    </main>
  );
}

function TopNavigation() {
  const { t } = useTranslation();
  return (
    <nav aria-label={t('nav.label')} className="ml-6 hidden gap-1 md:flex">
      {usePages().map(({ key, to, current }) => (
        <Link
          key={key}
          to={to}
          aria-current={current}
          className={`flex min-h-9 items-center rounded-sm px-3 font-medium text-base transition-colors ${
            current ? 'bg-ink-3 text-fg' : 'text-fg-2 hover:text-fg'
          }`}
        >
          {t(`nav.${key}`)}
        </Link>
      ))}
    </nav>
  );
}

function BottomNavigation() {
  const { t } = useTranslation();
  return (
    <nav aria-label={t('nav.label')} className="bottom-bar md:hidden">
      {usePages().map(({ key, to, icon: Icon, current }) => (
        <Link
          key={key}
          to={to}
          aria-current={current}
          className={current ? 'text-brass' : 'text-fg-3'}
        >
          <Icon />
          {t(key === 'leaderboard' ? 'nav.rank' : `nav.${key}`)}
        </Link>
      ))}
    </nav>
  );
}

/** The pages of both bars; a game counts as being in the hall. */
function usePages() {
  const { pathname } = useLocation();
  return PAGES.map((page) => {
    const isHere = pathname === page.to || ('holds' in page && pathname === page.holds);
    return { ...page, current: isHere ? ('page' as const) : undefined };
  });
}

/** The dialogs of the whole app, each loaded when it is first opened. */
function Overlays() {
  const connecting = useStore(connectDialog);
  const [search, setSearch] = useSearchParams();
  const roundId = search.get(ROUND_PARAM);
  const closeRound = () =>
    setSearch(
      (now) => {
        now.delete(ROUND_PARAM);
        return now;
      },
      { replace: true, preventScrollReset: true },
    );
  return (
    <Suspense fallback={null}>
      {connecting && <ConnectDialog />}
      {roundId && <RoundDialog key={roundId} roundId={roundId} onClose={closeRound} />}
    </Suspense>
  );
}
