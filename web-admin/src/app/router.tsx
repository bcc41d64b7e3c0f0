import { buttonClass } from '@reelbook/web/components/button';
import { useStore } from '@reelbook/web/store';
import { type ComponentType, Suspense } from 'react';
import { BrowserRouter, Link, Navigate, Route, Routes, useLocation, useParams } from 'react-router';
import { Now } from '../components/chips.tsx';
import { part } from '../lib/parts.ts';
import { accountPath, MOVED, type PageName, pages, paths } from '../lib/paths.ts';
import { session } from '../lib/session-store.ts';
import { PartBoundary, Shell } from './shell.tsx';

function NotFound() {
  const { pathname } = useLocation();
  return (
    <div className="flex flex-col items-start gap-4 py-12">
      <h1 className="text-xl">Page not found</h1>
      <p className="text-fg-2">There is no page at {pathname}.</p>
      <Link to={paths.explorer} className={buttonClass('primary')}>
        Explorer
      </Link>
    </div>
  );
}

const SignIn = part(async () => (await import('../resources/session/sign-in.tsx')).SignIn);
const components: Readonly<Record<PageName, ComponentType>> = {
  overview: part(async () => (await import('../resources/overview/overview.tsx')).Overview),
  explorer: part(async () => (await import('../resources/explorer/explorer.tsx')).Explorer),
  event: part(async () => (await import('../resources/event/event-page.tsx')).EventPage),
  travel: part(async () => (await import('../resources/travel/travel.tsx')).Travel),
  players: part(async () => (await import('../resources/players/players.tsx')).Players),
  player: part(async () => (await import('../resources/players/player.tsx')).PlayerPage),
  withdrawals: part(
    async () => (await import('../resources/payments/withdrawals.tsx')).Withdrawals,
  ),
  withdrawal: part(async () => (await import('../resources/payments/withdrawal.tsx')).Withdrawal),
  deposits: part(async () => (await import('../resources/payments/deposits.tsx')).Deposits),
  house: part(async () => (await import('../resources/house/house.tsx')).House),
  approvals: part(async () => (await import('../resources/approvals/approvals.tsx')).Approvals),
  audit: part(async () => (await import('../resources/audit/audit.tsx')).AuditPage),
  configuration: part(
    async () => (await import('../resources/configuration/configuration.tsx')).Configuration,
  ),
};

/** Each page is a separate chunk, loaded on its first visit. Without a session only the sign-in page is shown. */
export function Router() {
  const operator = useStore(session)?.operator;
  return (
    <BrowserRouter>
      <PartBoundary>
        <Routes>
          {operator !== undefined ? (
            // What one operator has opened or typed is not left to another one who signs in in another tab.
            <Route element={<Shell key={operator} />}>
              <Route path="/" element={<Navigate to={paths.overview} replace />} />
              {pages.map(([name, { path, past }]) => {
                const Page = components[name];
                const page = <Page />;
                return (
                  <Route
                    key={name}
                    path={path}
                    element={past === 'now' ? <Now>{page}</Now> : page}
                  />
                );
              })}
              {Object.entries(MOVED).map(([path, to]) => (
                <Route key={path} path={path} element={<Moved to={to} />} />
              ))}
              <Route path="*" element={<NotFound />} />
            </Route>
          ) : (
            <Route
              path="*"
              element={
                <Suspense fallback={null}>
                  <SignIn />
                </Suspense>
              }
            />
          )}
        </Routes>
      </PartBoundary>
    </BrowserRouter>
  );
}

function Moved({ to }: { to: string }) {
  const { search } = useLocation();
  const { account } = useParams();
  const path = account === undefined ? to : accountPath(account);
  const query = path.includes('?') ? search.replace('?', '&') : search;
  return <Navigate to={path + query} replace />;
}
