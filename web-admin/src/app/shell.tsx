import { CloseIcon, Logo } from '@reelbook/web/components/icons';
import { ToastRegion } from '@reelbook/web/components/toast-region';
import { shortAddress } from '@reelbook/web/format';
import { useStore } from '@reelbook/web/store';
import { Suspense, useEffect, useRef, useState } from 'react';
import { Link, Outlet, useLocation, useNavigate } from 'react-router';
import { MenuIcon } from '../components/icons.tsx';
import { useOperatorName } from '../components/operator-name.tsx';
import { paths } from '../lib/paths.ts';
import { useAt, useHere } from '../lib/point-in-time.ts';
import { ROLE_NAMES } from '../lib/roles.ts';
import { session } from '../lib/session-store.ts';
import { useKeyboard, useShortcut } from '../lib/shortcuts.ts';
import { NameDialog } from '../resources/configuration/name-dialog.tsx';
import { signOut, signOutAll } from '../resources/session/keep-session.ts';
import { KeyboardHelp } from './keyboard-help.tsx';
import { LedgerStatus } from './ledger-status.tsx';
import { LETTERS, Navigation } from './navigation.tsx';
import { PartBoundary } from './part-boundary.tsx';
import { Preferences } from './preferences.tsx';
import { SearchLine } from './search-line.tsx';
import { PrintHead, TimeBar } from './time-bar.tsx';

/** Frame of every page: navigation, search line and time bar. Brass border while a past point in time is shown. */
export function Shell() {
  const [at] = useAt();
  const [isMenuOpen, setMenuOpen] = useState(false);
  const [isHelpOpen, setHelpOpen] = useState(false);
  const here = useHere();
  const navigate = useNavigate();
  useShortcut('help', () => setHelpOpen((open) => !open));
  useKeyboard((letter) => {
    const found = Object.entries(LETTERS).find(([, own]) => own === letter);
    if (found) void navigate(here(paths[found[0] as keyof typeof LETTERS]));
    return found !== undefined;
  });
  return (
    <div className="shell" data-past={at !== null} data-menu={isMenuOpen}>
      <a href="#main" className="skip-link">
        Skip to content
      </a>
      <header className="shell-head">
        <button
          type="button"
          className="menu-button grid size-11 place-items-center rounded-sm text-fg-2"
          aria-label={isMenuOpen ? 'Close menu' : 'Open menu'}
          aria-expanded={isMenuOpen}
          onClick={() => setMenuOpen(!isMenuOpen)}
        >
          {isMenuOpen ? <CloseIcon /> : <MenuIcon />}
        </button>
        <SearchLine />
        <LedgerStatus />
        <button
          type="button"
          className="help-button"
          aria-label="Keyboard shortcuts"
          title="Keyboard shortcuts"
          onClick={() => setHelpOpen(true)}
        >
          ?
        </button>
      </header>
      <aside className="shell-side">
        <Link
          to={here(paths.overview)}
          className="mb-3 flex min-h-11 items-center gap-2.5 rounded-sm px-2.5 text-lg"
        >
          <Logo />
          <span className="font-bold tracking-tight">Reelbook</span>
          <span className="text-base text-fg-3">ops</span>
        </Link>
        <Navigation onGo={() => setMenuOpen(false)} />
        <Operator />
      </aside>
      <TimeBar />
      <PrintHead />
      <Page />
      <ToastRegion />
      {isHelpOpen && <KeyboardHelp onClose={() => setHelpOpen(false)} />}
    </div>
  );
}

function Operator() {
  const me = useStore(session);
  const name = useOperatorName(me?.operator ?? '');
  const [isNaming, setNaming] = useState(false);
  if (!me) return null;
  return (
    <footer className="mt-auto border-line border-t px-2.5 pt-3">
      <p className="flex items-center justify-between gap-2 whitespace-nowrap text-xs">
        <span>
          {ROLE_NAMES[me.role]}{' '}
          <span className="font-mono text-fg-3" title={me.operator}>
            {shortAddress(me.operator)}
          </span>
        </span>
        <button
          type="button"
          className="-mr-2 min-h-9 rounded-sm px-2 text-fg-3 hover:text-fg"
          onClick={() => void signOut()}
        >
          Sign out
        </button>
      </p>
      <button
        type="button"
        className="-ml-2 flex min-h-9 max-w-full items-center gap-2 rounded-sm px-2 text-xs hover:bg-ink-3"
        onClick={() => setNaming(true)}
      >
        {name !== undefined && <bdi className="truncate">{name}</bdi>}
        <span className="whitespace-nowrap text-fg-3">Set name</span>
      </button>
      <button
        type="button"
        className="-ml-2 min-h-9 rounded-sm px-2 text-fg-3 text-xs hover:bg-ink-3 hover:text-fg"
        title="Signs you out in every browser, here too"
        onClick={() => void signOutAll()}
      >
        End all my sessions
      </button>
      {isNaming && (
        <NameDialog operator={me.operator} name={name ?? null} onClose={() => setNaming(false)} />
      )}
      <Preferences />
    </footer>
  );
}

function Page() {
  const { pathname } = useLocation();
  const main = useRef<HTMLElement>(null);
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    window.scrollTo(0, 0);
    // Typing goes on in the search line, also when its first token has opened this page.
    if (document.activeElement?.closest('search')) return;
    main.current?.focus({ preventScroll: true });
  }, [pathname]);
  return (
    <main ref={main} id="main" tabIndex={-1} className="shell-page">
      <PartBoundary key={pathname}>
        <Suspense
          fallback={
            <p role="status" className="py-12 text-fg-3 text-sm">
              Loading…
            </p>
          }
        >
          <Outlet />
        </Suspense>
      </PartBoundary>
    </main>
  );
}
