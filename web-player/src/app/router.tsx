import { faces, pathOf } from '@reelbook/games/faces';
import { BrowserRouter, matchPath, Navigate, Route, Routes } from 'react-router';
import { defaultChinesePart, homePart, pagePart } from '../lib/parts.ts';
import { aliases, paths } from '../lib/paths.ts';
import { pages } from './pages.ts';
import { PartBoundary } from './part-boundary.tsx';
import { Shell } from './shell.tsx';

const simulated = new Set(faces.filter((face) => face.simulated).map(pathOf));
const PARTS = Object.entries(pages).map(([path, load]) => [path, partOf(path)(load)] as const);

function partOf(path: string) {
  if (path === paths.home) return homePart;
  return simulated.has(path) ? defaultChinesePart : pagePart;
}

/** Resolves when the page of this path can be rendered without a loading state. */
export async function preloadPage(path: string): Promise<void> {
  await PARTS.find(([of]) => matchPath(of, path))?.[1].preload();
}

/** Each page is a separate chunk, loaded on its first visit. */
export function Router() {
  return (
    <BrowserRouter>
      <PartBoundary>
        <Routes>
          <Route element={<Shell />}>
            {PARTS.map(([path, { Part }]) => (
              <Route key={path} path={path} element={<Part />} />
            ))}
            {Object.entries(aliases).map(([from, to]) => (
              <Route key={from} path={from} element={<Navigate to={to} replace />} />
            ))}
          </Route>
        </Routes>
      </PartBoundary>
    </BrowserRouter>
  );
}
