import { faces, pathOf } from '@reelbook/games/faces';
import { BrowserRouter, Navigate, Route, Routes } from 'react-router';
import { firstPart, part } from '../lib/parts.ts';
import { aliases, paths } from '../lib/paths.ts';
import { gamePage } from './game-page.ts';
import { NotFound } from './not-found.tsx';
import { PartBoundary } from './part-boundary.tsx';
import { Shell } from './shell.tsx';

const Home = firstPart(async () => (await import('../features/home/home.tsx')).Home);

/** Home has no loading state: it replaces the first paint directly. */
export const preloadHome = (path: string) => (path === paths.home ? Home.preload() : null);

const pages = {
  [paths.games]: part(async () => (await import('../features/games/games.tsx')).Games),
  ...Object.fromEntries(faces.map((face) => [pathOf(face), gamePage(face)])),
  [paths.limits]: part(async () => (await import('../features/limits/limits.tsx')).Limits),
  [paths.wallet]: part(async () => (await import('../features/wallet/wallet.tsx')).WalletPage),
  [paths.profile]: part(async () => (await import('../features/profile/profile.tsx')).Profile),
  [paths.leaderboard]: part(
    async () => (await import('../features/leaderboard/leaderboard.tsx')).Leaderboard,
  ),
  [paths.notifications]: part(
    async () => (await import('../features/notifications/notifications.tsx')).Notifications,
  ),
  [paths.history]: part(async () => (await import('../features/history/history.tsx')).PlayHistory),
  [paths.fairness]: part(async () => (await import('../features/fairness/fairness.tsx')).Fairness),
};

/** Each page is a separate chunk, loaded on its first visit. */
export function Router() {
  return (
    <BrowserRouter>
      <PartBoundary>
        <Routes>
          <Route element={<Shell />}>
            <Route path={paths.home} element={<Home.Part />} />
            {Object.entries(pages).map(([path, Page]) => (
              <Route key={path} path={path} element={<Page />} />
            ))}
            {Object.entries(aliases).map(([from, to]) => (
              <Route key={from} path={from} element={<Navigate to={to} replace />} />
            ))}
            <Route path="*" element={<NotFound />} />
          </Route>
        </Routes>
      </PartBoundary>
    </BrowserRouter>
  );
}
