import { faces, pathOf } from '@reelbook/games/faces';
import { Logo } from '@reelbook/web/components/icons';
import { ToastRegion } from '@reelbook/web/components/toast-region';
import { useStore } from '@reelbook/web/store';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, Outlet, useLocation, useSearchParams } from 'react-router';
import { Account } from '../features/session/account.tsx';
import { connectDialog, openIfPressedBefore } from '../lib/connect-dialog.ts';
import { part } from '../lib/parts.ts';
import { EVENT_PARAM, paths, ROUND_PARAM } from '../lib/paths.ts';
import { protection } from '../lib/protection.ts';
import { session } from '../lib/session-store.ts';
import { ErrorBanner } from './error-banner.tsx';
import { LiveState } from './live-state.tsx';
import { BottomNavigation, TopNavigation, useTitle } from './navigation.tsx';
import { PartBoundary } from './part-boundary.tsx';
import { Preferences } from './preferences.tsx';

const ConnectDialog = part(
  async () => (await import('../features/session/connect-dialog.tsx')).ConnectDialog,
);
const RoundDialog = part(
  async () => (await import('../features/fairness/round-dialog.tsx')).RoundDialog,
);

const EventDialog = part(
  async () => (await import('../features/fairness/event-dialog.tsx')).EventDialog,
);
// Without the network the bar is missing, not the page.
const ClosedBar = part(() =>
  import('./closed-bar.tsx').then(
    (loaded) => loaded.ClosedBar,
    () => () => null,
  ),
);
const RealityCheck = part(
  async () => (await import('../features/limits/reality-check.tsx')).RealityCheck,
);

/** The frame of every page: header, navigation, content and overlays. */
export function Shell() {
  const { t } = useTranslation();
  useEffect(openIfPressedBefore, []);
  return (
    <>
      <a href="#main" className="skip-link">
        {t('common.skip')}
      </a>
      <header className="sticky top-0 z-20 border-line border-b bg-ink-0">
        <div className="flex h-16 items-center gap-2 px-3.5 md:px-6 lg:px-8">
          <Link
            to={paths.home}
            aria-label="Reelbook"
            className="flex min-h-11 min-w-11 items-center gap-2.5 rounded-sm text-lg"
          >
            <Logo />
            <span className="wordmark font-bold tracking-tight">Reelbook</span>
          </Link>
          <TopNavigation />
          <div className="ml-auto flex items-center gap-2 lg:gap-3">
            <Account />
          </div>
        </div>
      </header>
      <ErrorBanner />
      <Closed />
      <LiveState />
      <Page />
      <BottomNavigation />
      <ToastRegion />
      <Overlays />
    </>
  );
}

/** Pages that show the closed state in place of their controls. */
const { games, limits, wallet } = paths;
const SHOWS_CLOSED: readonly string[] = [...faces.map(pathOf), games, limits, wallet];

function Closed() {
  const { pathname } = useLocation();
  const signedIn = useStore(session) !== null;
  if (!signedIn || SHOWS_CLOSED.includes(pathname)) return null;
  return (
    <Suspense fallback={null}>
      <ClosedBar />
    </Suspense>
  );
}

function Page() {
  const { pathname } = useLocation();
  const main = useRef<HTMLElement>(null);
  const shown = useRef(pathname);
  const named = useTitle();
  const title = named === null ? 'Reelbook' : `${named} · Reelbook`;
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
      <PartBoundary key={pathname}>
        <Suspense fallback={<PageLoading />}>
          <Outlet />
          <Preferences />
        </Suspense>
      </PartBoundary>
    </main>
  );
}

function PageLoading() {
  const { t } = useTranslation();
  return (
    <div className="min-h-[85vh]" role="status">
      <span className="sr-only">{t('common.loading')}</span>
    </div>
  );
}

/** The dialogs of the app, each loaded when it is first opened. */
function Overlays() {
  const connecting = useStore(connectDialog);
  const signedIn = useStore(session) !== null;
  const { data: isCheckDue } = useQuery({
    ...protection,
    enabled: signedIn,
    select: (known) => known.reality_check.due,
  });
  const [search, setSearch] = useSearchParams();
  const [roundId, position] = [search.get(ROUND_PARAM), search.get(EVENT_PARAM)];
  const close = (param: string) =>
    setSearch(
      (now) => {
        now.delete(param);
        return now;
      },
      { replace: true, preventScrollReset: true },
    );
  return (
    <Suspense fallback={null}>
      {signedIn && isCheckDue && <RealityCheck />}
      {connecting && <ConnectDialog />}
      {roundId && (
        <RoundDialog key={roundId} roundId={roundId} onClose={() => close(ROUND_PARAM)} />
      )}
      {position && (
        <EventDialog key={position} position={position} onClose={() => close(EVENT_PARAM)} />
      )}
    </Suspense>
  );
}
