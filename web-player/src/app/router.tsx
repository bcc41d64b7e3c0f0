import { type ComponentType, lazy } from 'react';
import { BrowserRouter, Navigate, Route, Routes } from 'react-router';
import { aliases, paths } from '../lib/paths.ts';
import { NotFound } from './not-found.tsx';
import { PartBoundary } from './part-boundary.tsx';
import { Shell } from './shell.tsx';

const Home = page(async () => (await import('../features/home/home.tsx')).Home);
const Games = page(async () => (await import('../features/games/games.tsx')).Games);
const SlotMachine = page(
  async () => (await import('../features/slot-machine/slot-machine.tsx')).SlotMachine,
);
const Fairness = page(async () => (await import('../features/fairness/fairness.tsx')).Fairness);
const Leaderboard = page(
  async () => (await import('../features/leaderboard/leaderboard.tsx')).Leaderboard,
);
const Profile = page(async () => (await import('../features/profile/profile.tsx')).Profile);

/** Each page is a part of its own, loaded when it is first visited. */
export function Router() {
  return (
    <BrowserRouter>
      <PartBoundary>
        <Routes>
          <Route element={<Shell />}>
            <Route path={paths.home} element={<Home />} />
            <Route path={paths.games} element={<Games />} />
            <Route path={paths.slotMachine} element={<SlotMachine />} />
            <Route path={paths.fairness} element={<Fairness />} />
            <Route path={paths.leaderboard} element={<Leaderboard />} />
            <Route path={paths.profile} element={<Profile />} />
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

function page(load: () => Promise<ComponentType>) {
  return lazy(async () => ({ default: await load() }));
}
