import { faces, pathOf } from '@reelbook/games/faces';
import {
  FairnessIcon,
  GamesIcon,
  HomeIcon,
  Logo,
  ProfileIcon,
  RankIcon,
  WalletIcon,
} from '@reelbook/web/components/icons';
import { PreferenceButtons } from '@reelbook/web/components/preference-buttons';
import { ToastRegion } from '@reelbook/web/components/toast-region';
import { loadPart } from '@reelbook/web/load-part';
import { useStore } from '@reelbook/web/store';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, matchPath, Outlet, useLocation, useSearchParams } from 'react-router';
import { LivePill } from '../components/live-pill.tsx';
import { Account } from '../features/session/account.tsx';
import { appError, checkSession } from '../features/session/keep-session.ts';
import { connectDialog, openIfPressedBefore } from '../lib/connect-dialog.ts';
import { useGameTexts } from '../lib/game-texts.ts';
import { chooseLanguage, loadTexts } from '../lib/i18n.ts';
import { langOf } from '../lib/language.ts';
import { online } from '../lib/online.ts';
import { part } from '../lib/parts.ts';
import { EVENT_PARAM, paths, ROUND_PARAM } from '../lib/paths.ts';
import { protection } from '../lib/protection.ts';
import { session } from '../lib/session-store.ts';
import { PartBoundary } from './part-boundary.tsx';

const GAMES: readonly string[] = faces.map(pathOf);
const OWN: readonly string[] = [paths.history, paths.limits, paths.myData];
const MONEY: readonly string[] = [paths.payment];

/** The pages of the top bar; those with a `bottom` are in the bottom bar too, in that order. */
const PAGES = [
  { key: 'home', to: paths.home, icon: HomeIcon, bottom: 1 },
  { key: 'games', to: paths.games, icon: GamesIcon, bottom: 2, children: GAMES },
  { key: 'wallet', to: paths.wallet, icon: WalletIcon, bottom: 3, children: MONEY },
  { key: 'profile', to: paths.profile, icon: ProfileIcon, bottom: 5, children: OWN },
  { key: 'leaderboard', to: paths.leaderboard, icon: RankIcon, bottom: 4 },
  { key: 'fairness', to: paths.fairness, icon: FairnessIcon },
] as const;
const BOTTOM_PAGES = PAGES.filter((page) => 'bottom' in page).sort((a, b) => a.bottom - b.bottom);

function TopNavigation() {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  return (
    <nav aria-label={t('common.pages')} className="ml-2 hidden gap-0.5 md:flex lg:ml-6 lg:gap-1">
      {PAGES.map((page) => {
        const current = isHere(page, pathname);
        return (
          <Link
            key={page.key}
            to={page.to}
            aria-current={current ? 'page' : undefined}
            className={`flex min-h-11 items-center rounded-sm px-2 font-medium text-sm transition-colors lg:px-3 lg:text-base ${
              current ? 'bg-ink-3 text-fg' : 'text-fg-2 hover:text-fg'
            }`}
          >
            {t(`nav.${page.key}`)}
          </Link>
        );
      })}
    </nav>
  );
}

function BottomNavigation() {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  return (
    <nav aria-label={t('common.pages')} className="bottom-bar md:hidden">
      {BOTTOM_PAGES.map((page) => {
        const current = isHere(page, pathname);
        const Icon = page.icon;
        return (
          <Link
            key={page.key}
            to={page.to}
            aria-current={current ? 'page' : undefined}
            className={current ? 'text-brass' : 'text-fg-3'}
          >
            <Icon />
            {t(page.key === 'leaderboard' ? 'nav.rank' : `nav.${page.key}`)}
          </Link>
        );
      })}
    </nav>
  );
}

/** Games belong to the hall, and the player's own pages to the profile. */
function isHere(page: (typeof PAGES)[number], pathname: string): boolean {
  return (
    pathname === page.to ||
    ('children' in page && page.children.some((path) => matchPath(path, pathname)))
  );
}

const { slotMachine: _, ...titled } = paths;
const TITLES = Object.entries(titled).map(
  ([key, path]) => [key as keyof typeof titled, path] as const,
);

/** Title of the current page; null for home and unknown paths. */
function useTitle(): string | null {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const textsOf = useGameTexts();
  const game = faces.find((face) => pathOf(face) === pathname);
  if (game) return textsOf(game.id).name;
  const found = TITLES.find(([, path]) => matchPath(path, pathname));
  return found && found[0] !== 'home' ? t(`nav.${found[0]}`) : null;
}

const LINK = `inline-flex min-h-11 items-center gap-2 rounded-sm px-3 text-sm text-fg-2
  hover:bg-ink-3 hover:text-fg`;

/** The footer of every page: links that are not in the bottom bar of a phone, language, theme and motion. */
function Preferences() {
  const { t, i18n } = useTranslation();
  const language = i18n.language === 'zh' ? 'en' : 'zh';
  return (
    <footer className="mt-12 flex flex-wrap items-center justify-between gap-x-4 border-line border-t pt-4">
      <p className="py-2 text-fg-3 text-sm">{t('footer.ledger')}</p>
      <div className="-mx-3 flex flex-wrap">
        <Link to={paths.fairness} className={LINK}>
          {t('nav.fairness')}
        </Link>
        <Link to={paths.history} className={LINK}>
          {t('nav.history')}
        </Link>
        <Link to={paths.limits} className={LINK}>
          {t('nav.limits')}
        </Link>
        <button
          type="button"
          className={LINK}
          lang={langOf(language)}
          onClick={() => chooseLanguage(language)}
        >
          {language === 'zh' ? '中文' : 'English'}
        </button>
        <PreferenceButtons className={LINK} />
      </div>
    </footer>
  );
}

/** An error of the app above every page, under the header, with its reason and a retry button. */
function ErrorBanner() {
  const { t } = useTranslation();
  const error = useStore(appError);
  const [why, setWhy] = useState('');
  // Loaded only now, with the texts of refusals. An unreachable server has a text that is there already.
  useEffect(() => {
    setWhy('');
    if (error)
      Promise.all([import('../lib/refusal-text.ts'), loadTexts()]).then(
        ([{ refusalText }]) => setWhy(refusalText(error)),
        () => undefined,
      );
  }, [error]);
  if (!error) return null;
  return (
    <div
      role="alert"
      className="sticky top-16 z-10 flex items-center gap-4 border-line border-b bg-ink-1 px-4 text-sm md:px-8"
    >
      <span className="flex-1 py-2">
        <strong className="text-coral">{t('common.initFailed')}.</strong>{' '}
        {why || t('common.unreachable')}
      </span>
      <button
        type="button"
        className="min-h-11 rounded-sm px-3 font-semibold text-coral"
        onClick={() => void checkSession()}
      >
        {t('common.tryAgain')}
      </button>
    </div>
  );
}

const Dropped = lazy(async () => ({
  default: (await loadPart(() => import('../features/session/signed-in.tsx'))).Dropped,
}));

/** Shows when the network or the live updates have stopped. */
function LiveState() {
  const { t } = useTranslation();
  const isOnline = useStore(online);
  const signedIn = useStore(session) !== null;
  if (!isOnline) return <LivePill text={t('live.offline')} />;
  return (
    signedIn && (
      <Suspense fallback={null}>
        <Dropped />
      </Suspense>
    )
  );
}

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
      className="mx-auto w-full max-w-[1180px] px-3.5 pt-4 pb-36 md:px-8 md:pt-8 md:pb-16"
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
  const { t } = useTranslation();
  const isConnecting = useStore(connectDialog) === 'open';
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
  const opening = (
    <div className="veil" role="status">
      <p className="dialog p-6">{t('common.loading')}</p>
    </div>
  );
  return (
    <Suspense fallback={opening}>
      {signedIn && isCheckDue && <RealityCheck />}
      {isConnecting && <ConnectDialog onClose={() => connectDialog.set('closed')} />}
      {roundId && (
        <RoundDialog key={roundId} roundId={roundId} onClose={() => close(ROUND_PARAM)} />
      )}
      {position && (
        <EventDialog key={position} position={position} onClose={() => close(EVENT_PARAM)} />
      )}
    </Suspense>
  );
}
