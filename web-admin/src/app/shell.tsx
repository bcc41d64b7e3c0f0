import { Dialog } from '@reelbook/web/components/dialog';
import { CheckIcon, CloseIcon, CrossIcon, Logo } from '@reelbook/web/components/icons';
import { PreferenceButtons } from '@reelbook/web/components/preference-buttons';
import { ToastRegion } from '@reelbook/web/components/toast-region';
import { formatInteger, shortAddress } from '@reelbook/web/format';
import { useStore } from '@reelbook/web/store';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useEffect, useRef, useState } from 'react';
import { Link, NavLink, Outlet, useLocation, useNavigate } from 'react-router';
import { useOperatorName } from '../components/chips.tsx';
import { MenuIcon } from '../components/icons.tsx';
import { useSilence } from '../lib/contact.ts';
import { eventPath, PAGE_NAMES, type PageName, paths } from '../lib/paths.ts';
import { plural } from '../lib/plural.ts';
import { useAt, useHere } from '../lib/point-in-time.ts';
import { CALM_EVERY_MS, read } from '../lib/queries.ts';
import { ROLE_NAMES, session } from '../lib/session-store.ts';
import { useKeyboard, useShortcut } from '../lib/shortcuts.ts';
import { NameDialog } from '../resources/configuration/operators.tsx';
import { signOut, signOutAll } from '../resources/session/keep-session.ts';
import { PartBoundary } from './part-boundary.tsx';
import { SearchLine } from './search-line.tsx';
import { PrintHead, TimeBar } from './time-bar.tsx';

/** Pressing `g`, then this letter, opens the page. */
const LETTERS = {
  overview: 'v',
  explorer: 'e',
  travel: 't',
  players: 'p',
  withdrawals: 'w',
  unmatched: 'u',
  approvals: 'o',
  house: 'h',
  audit: 'a',
  configuration: 'c',
} as const satisfies Partial<Record<PageName, string>>;

type Entry = keyof typeof LETTERS;

const GROUPS: readonly { readonly title: string | null; readonly pages: readonly Entry[] }[] = [
  { title: null, pages: ['overview', 'explorer', 'travel', 'players'] },
  { title: 'Payments', pages: ['withdrawals', 'unmatched', 'house'] },
  { title: 'System', pages: ['approvals', 'audit', 'configuration'] },
];

function Navigation({ onGo }: { onGo?: () => void }) {
  const here = useHere();
  const pending = usePending();
  return (
    <nav aria-label="Pages" className="flex flex-col gap-0.5">
      {GROUPS.map(({ title, pages }) => (
        <div key={title ?? 'ledger'} className={title ? 'mt-4' : ''}>
          {title && (
            <p className="px-2.5 pb-1 font-semibold text-fg-3 text-xs uppercase tracking-wider">
              {title}
            </p>
          )}
          {pages.map((page) => (
            <NavLink
              key={page}
              to={here(paths[page])}
              onClick={onGo}
              className={({ isActive }) =>
                `flex min-h-11 items-center justify-between rounded-sm px-2.5 font-medium text-sm md:min-h-8 ${
                  isActive ? 'bg-ink-3 text-fg' : 'text-fg-2 hover:text-fg'
                }`
              }
            >
              {PAGE_NAMES[page]}
              {pending[page] ? (
                <span className="font-mono text-coral text-xs">
                  {pending[page]} <span className="sr-only">pending</span>
                </span>
              ) : null}
            </NavLink>
          ))}
        </div>
      ))}
    </nav>
  );
}

/** Number of items that await an operator, by the page that handles them. */
function usePending(): Partial<Record<PageName, number>> {
  const approvals = useProposals();
  const { data } = useQuery({ ...read('solvency'), refetchInterval: CALM_EVERY_MS });
  if (!data) return { approvals };
  const { requested: withdrawals, unmatched } = data.queues;
  return { approvals, withdrawals, unmatched };
}

/** Number of pending proposals. */
function useProposals(): number {
  return useQuery({ ...read('proposals'), refetchInterval: CALM_EVERY_MS }).data?.length ?? 0;
}

const KEYS = [
  ['/', 'Search and filter'],
  ['j', 'Next row'],
  ['k', 'Previous row'],
  ['Enter', 'Open row'],
  ['n', 'Back to now'],
  ['?', 'Keyboard shortcuts'],
] as const;

/** Lists the keyboard shortcuts. */
function KeyboardHelp({ onClose }: { onClose(): void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose} wide>
      <div className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
        <dl>
          {KEYS.map(([key, name]) => (
            <Key key={key} keys={[key]}>
              {name}
            </Key>
          ))}
        </dl>
        <dl>
          {Object.entries(LETTERS).map(([page, letter]) => (
            <Key key={page} keys={['g', letter]}>
              {PAGE_NAMES[page as keyof typeof LETTERS]}
            </Key>
          ))}
        </dl>
      </div>
    </Dialog>
  );
}

function Key({ keys, children }: { keys: readonly string[]; children: string }) {
  return (
    <div className="flex items-center justify-between gap-4 border-line border-b py-1.5 text-sm last:border-0">
      <dd className="text-fg-2">{children}</dd>
      <dt className="flex gap-1">
        {keys.map((key, order) => (
          <kbd key={order} className="key">
            {key}
          </kbd>
        ))}
      </dt>
    </div>
  );
}

const PILL = 'pill whitespace-nowrap';

/** Pending proposals, the result of the last audit, and the rate of new events; without contact only its duration. */
function LedgerStatus() {
  const silence = useSilence();
  if (silence) {
    return (
      <div className="ledger-status">
        <p className={PILL}>No contact for {silence.seconds} s</p>
      </div>
    );
  }
  return (
    <div className="ledger-status">
      <PendingProposals />
      <LastAudit />
      <Rate />
    </div>
  );
}

/** Number of pending proposals. Shown on every page at every width, because a pending proposal can be stopped. */
function PendingProposals() {
  const here = useHere();
  const count = useProposals();
  if (count === 0) return null;
  return (
    <Link
      to={here(paths.approvals)}
      className={`${PILL} pill-bad pill-waiting`}
      aria-label={`${count} ${plural(count, 'proposal', 'proposals')}`}
    >
      {count}
      <span className="pill-words">{plural(count, 'proposal', 'proposals')}</span>
    </Link>
  );
}

function LastAudit() {
  const here = useHere();
  const { data } = useQuery({
    ...read('jobs', { query: { kind: 'audit', limit: 1 } }),
    refetchInterval: CALM_EVERY_MS,
  });
  const job = data?.jobs[0];
  if (!job) return null;
  if (job.state === 'running') {
    return (
      <Link to={here(paths.audit)} className={PILL}>
        Audit running…
      </Link>
    );
  }
  const { audit } = job;
  if (!audit) return null;
  const faultAt = audit.first?.position ?? null;
  if (audit.clean) {
    return (
      <Link to={here(paths.audit)} className={`${PILL} pill-good`}>
        <CheckIcon />
        Audited to #{formatInteger(audit.events)}
      </Link>
    );
  }
  return (
    <Link
      to={faultAt === null ? here(paths.audit) : eventPath(faultAt)}
      className={`${PILL} pill-bad`}
    >
      <CrossIcon />
      {faultAt === null
        ? `${audit.findings} ${plural(audit.findings, 'fault', 'faults')}`
        : `Fault at #${formatInteger(faultAt)}`}
    </Link>
  );
}

function Rate() {
  const here = useHere();
  const { data } = useQuery({ ...read('engine'), refetchInterval: CALM_EVERY_MS });
  if (!data) return null;
  const bad = data.followers.some(({ condition }) => condition === 'stopped') || !data.head.accepts;
  return (
    <Link to={here(paths.overview)} className={`${PILL} ${bad ? 'pill-bad' : ''}`}>
      {bad
        ? 'Component stopped'
        : `Live · ${data.events_per_s.toFixed(data.events_per_s < 10 ? 1 : 0)} events/s`}
    </Link>
  );
}

const BUTTON = `inline-flex min-h-9 min-w-9 items-center justify-center gap-2 rounded-sm px-2 text-xs
  text-fg-3 hover:bg-ink-3 hover:text-fg`;

/** Theme and motion. */
export function Preferences() {
  return (
    <div className="mt-2 flex flex-wrap">
      <PreferenceButtons className={BUTTON} isShort />
    </div>
  );
}

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
