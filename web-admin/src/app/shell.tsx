import { TONES } from '@reelbook/web/components/badge';
import { Dialog } from '@reelbook/web/components/dialog';
import { CheckIcon, CloseIcon, CrossIcon, Icon, Logo } from '@reelbook/web/components/icons';
import { PreferenceButtons } from '@reelbook/web/components/preference-buttons';
import { PartBoundary as Boundary } from '@reelbook/web/components/states';
import { ToastRegion } from '@reelbook/web/components/toast-region';
import { formatInteger, shortAddress } from '@reelbook/web/format';
import { useStore } from '@reelbook/web/store';
import { Fragment, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { Link, NavLink, Outlet, useLocation, useNavigate } from 'react-router';
import { OpenAction, openAction } from '../components/actions.tsx';
import { auditTone, useOperatorName } from '../components/chips.tsx';
import { counted, plural } from '../lib/amounts.ts';
import { useSilence } from '../lib/contact.ts';
import { eventPath, type PageName, pages, paths } from '../lib/paths.ts';
import { useAt, useHere } from '../lib/point-in-time.ts';
import { CALM, CALM_EVERY_MS, LAST_AUDIT, LIVE_EVERY_MS, useRead } from '../lib/queries.ts';
import { ROLE_NAMES, session } from '../lib/session-store.ts';
import { useKeyboard, useShortcut } from '../lib/shortcuts.ts';
import { nameAction } from '../resources/configuration/operators.tsx';
import { signOut, signOutAll } from '../resources/session/keep-session.ts';
import { SearchLine } from './search-line.tsx';
import { eventRate, PrintHead, TimeBar } from './time-bar.tsx';

function Navigation({ onGo }: { onGo?: () => void }) {
  const here = useHere();
  const pending = usePending();
  const isPast = useAt()[0] !== null;
  return (
    <nav aria-label="Pages" className="flex flex-col">
      {pages.map(
        ([name, { title, heading }]) =>
          title && (
            <Fragment key={name}>
              {heading && (
                <p className="mt-[18px] px-2.5 pb-1 font-semibold text-fg-3 text-xs uppercase tracking-wider">
                  {heading}
                </p>
              )}
              <NavLink
                to={here(paths[name])}
                onClick={onGo}
                className={({ isActive }) =>
                  `flex min-h-11 items-center justify-between rounded-sm px-2.5 font-medium text-sm md:min-h-8 ${
                    isActive ? 'bg-ink-3 text-fg' : 'text-fg-2 hover:text-fg'
                  }`
                }
              >
                {title}
                {pending[name] ? (
                  <span
                    className={`font-mono text-xs ${isPast ? 'text-fg-3' : 'text-coral'}`}
                    data-now={isPast || undefined}
                  >
                    {isPast && 'now '}
                    {pending[name]} <span className="sr-only">pending</span>
                  </span>
                ) : null}
              </NavLink>
            </Fragment>
          ),
      )}
    </nav>
  );
}

/** Number of items that await an operator, by the page that handles them. */
function usePending(): Partial<Record<PageName, number>> {
  const approvals = useProposals();
  const { data } = useRead('solvency', null, CALM);
  if (!data) return { approvals };
  const { requested: withdrawals, unmatched: deposits } = data.queues;
  return { approvals, withdrawals, deposits };
}

/** Number of pending proposals. */
function useProposals(): number {
  return useRead('proposals', null, CALM).data?.length ?? 0;
}

const KEYS = [
  ['/', 'Search and filter'],
  ['j', 'Next row'],
  ['k', 'Previous row'],
  ['Enter', 'Open row'],
  ['n', 'Back to now'],
  ['?', 'Keyboard shortcuts'],
] as const;
const PAGE_KEYS = pages.flatMap(([, { title, letter }]) =>
  letter ? [[`g ${letter}`, title] as const] : [],
);

/** Lists the keyboard shortcuts. */
function KeyboardHelp({ onClose }: { onClose(): void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose} wide>
      <div className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
        {[KEYS, PAGE_KEYS].map((column, index) => (
          <dl key={index}>
            {column.map(([keys, name]) => (
              <div
                key={keys}
                className="flex items-center justify-between gap-4 border-line border-b py-1.5 text-sm last:border-0"
              >
                <dd className="text-fg-2">{name}</dd>
                <dt className="flex gap-1">
                  {keys.split(' ').map((key, order) => (
                    <kbd
                      key={order}
                      className="min-w-6 rounded-[6px] border border-line-strong bg-ink-2 px-[7px] py-px text-center font-medium font-mono text-xs/[normal]"
                    >
                      {key}
                    </kbd>
                  ))}
                </dt>
              </div>
            ))}
          </dl>
        ))}
      </div>
    </Dialog>
  );
}

const pill = (tone: keyof typeof TONES) =>
  `inline-flex min-h-7 items-center gap-1.5 whitespace-nowrap rounded-full border px-2.5 font-medium text-xs ${TONES[tone]}`;

/** Pending proposals, the result of the last audit, and the rate of new events; without contact only its duration. */
function LedgerStatus() {
  const silence = useSilence();
  const [at] = useAt();
  if (silence) return <p className={`${pill('plain')} max-lg:hidden`}>No contact</p>;
  const isPast = at !== null;
  return (
    <div
      className={`flex items-center gap-2 ${isPast ? 'grayscale' : ''}`}
      data-now={isPast || undefined}
    >
      {isPast && <span className="font-semibold text-fg-2 text-xs max-md:hidden">Now</span>}
      <PendingProposals />
      <LastAudit />
      <Rate />
    </div>
  );
}

/** A link where there is room for it. A bad state is shown at every width, on a phone by its sign. */
function Pill(props: {
  to: string;
  tone?: keyof typeof TONES;
  sign?: ReactNode;
  children: ReactNode;
}) {
  const { to, tone = 'plain', sign, children } = props;
  const width =
    tone === 'bad'
      ? 'max-md:min-h-11 max-md:min-w-11 max-md:justify-center'
      : 'max-lg:hidden lg:min-w-36 lg:justify-center';
  return (
    <Link to={to} className={`${pill(tone)} ${width}`}>
      {sign}
      <span className={tone === 'bad' ? 'max-md:sr-only' : ''}>{children}</span>
    </Link>
  );
}

function PendingProposals() {
  const here = useHere();
  const count = useProposals();
  if (count === 0) return null;
  return (
    <Pill to={here(paths.approvals)} tone="bad" sign={count}>
      {plural(count, 'proposal', 'proposals')}
    </Pill>
  );
}

function LastAudit() {
  const here = useHere();
  const { data } = useRead('jobs', LAST_AUDIT, {
    refetchInterval: ({ state }) => (state.data?.running ? LIVE_EVERY_MS : CALM_EVERY_MS),
  });
  const audit = data?.audited?.audit;
  // Faults stay until an audit has none.
  if (data?.running && audit?.clean !== false)
    return <Pill to={here(paths.audit)}>Audit running…</Pill>;
  if (!audit) return null;
  const tone = auditTone(audit);
  if (tone !== 'bad') {
    return (
      <Pill to={here(paths.audit)} tone={tone} sign={tone === 'good' && <CheckIcon />}>
        Audited to #{formatInteger(audit.events)}
        {tone === 'brass' && ', unproven'}
      </Pill>
    );
  }
  const faultAt = audit.first?.position ?? null;
  return (
    <Pill
      to={faultAt === null ? here(paths.audit) : eventPath(faultAt)}
      tone={tone}
      sign={<CrossIcon />}
    >
      {faultAt === null ? counted(audit.findings, 'fault') : `Fault at #${formatInteger(faultAt)}`}
    </Pill>
  );
}

function Rate() {
  const here = useHere();
  const rate = useStore(eventRate);
  const { data } = useRead('engine', null, CALM);
  if (!data) return null;
  if (data.followers.some(({ condition }) => condition === 'stopped') || !data.head.accepts) {
    return (
      <Pill to={here(paths.overview)} tone="bad" sign={<CrossIcon />}>
        Component stopped
      </Pill>
    );
  }
  return (
    <Pill to={here(paths.overview)}>
      Live · {rate === null ? '…' : rate.toFixed(rate < 10 ? 1 : 0)} events/s
    </Pill>
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
    const found = pages.find(([, page]) => page.letter === letter);
    if (found) void navigate(here(found[1].path));
    return found !== undefined;
  });
  return (
    <div className="shell" data-past={at !== null} data-menu={isMenuOpen}>
      <a href="#main" className="skip-link">
        Skip to content
      </a>
      <header className="shell-head sticky [grid-area:head] top-0 z-20 flex items-center gap-3 border-line border-b bg-ink-0 px-6 py-2.5 max-md:px-3.5">
        <button
          type="button"
          className="-mr-1.5 -ml-2.5 grid size-11 place-items-center rounded-sm text-fg-2 lg:hidden"
          aria-label={isMenuOpen ? 'Close menu' : 'Open menu'}
          aria-expanded={isMenuOpen}
          onClick={() => setMenuOpen(!isMenuOpen)}
        >
          {isMenuOpen ? (
            <CloseIcon />
          ) : (
            <Icon>
              <path d="M3.5 6h13M3.5 10h13M3.5 14h13" />
            </Icon>
          )}
        </button>
        <SearchLine />
        <LedgerStatus />
        <button
          type="button"
          className="hidden min-h-8 min-w-8 place-items-center rounded-sm border border-line font-medium font-mono text-fg-3 text-sm/[normal] hover:border-brass hover:text-fg lg:grid"
          aria-label="Keyboard shortcuts"
          title="Keyboard shortcuts"
          onClick={() => setHelpOpen(true)}
        >
          ?
        </button>
      </header>
      <aside className="shell-side sticky [grid-area:side] top-0 flex h-dvh flex-col overflow-y-auto border-line border-r bg-ink-1 px-3 pt-3 pb-2.5">
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
      <OpenAction />
      {isHelpOpen && <KeyboardHelp onClose={() => setHelpOpen(false)} />}
    </div>
  );
}

function Operator() {
  const me = useStore(session);
  const name = useOperatorName(me?.operator ?? '');
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
        onClick={() => openAction(nameAction(me.operator, name ?? null))}
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
      <Preferences />
    </footer>
  );
}

export function PartBoundary({ children }: { children: ReactNode }) {
  return (
    <Boundary className="items-start py-12" hint={() => 'The ledger is not affected.'}>
      {children}
    </Boundary>
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
    <main
      ref={main}
      id="main"
      tabIndex={-1}
      className="shell-page min-w-0 [grid-area:page] px-6 pt-5 pb-12 max-md:px-3.5 max-md:pt-3.5"
    >
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
