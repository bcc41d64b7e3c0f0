import { isBetPending, slotHistory } from '../features/slot-machine/slot-api.ts';
import { currentPath, paths } from '../lib/paths.ts';
import { protection } from '../lib/protection.ts';
import { gameConfigs, latestEntries, queryClient } from '../lib/queries.ts';
import { session } from '../lib/session-store.ts';
import { first, others, pageLanguage } from '../lib/texts.ts';
import { pages } from './pages.ts';

/**
 * Requests the code, texts and data of the page in the URL, so that they arrive while the libraries are evaluated. The
 * page requests them again: what failed here is retried, and reported, there.
 */
export function requestAhead(): void {
  const path = currentPath();
  const language = pageLanguage();
  const isHome = path === paths.home;
  // Home is in a chunk of every page. Its import here would evaluate that and the libraries in one long task.
  const load = isHome ? null : (pages as Readonly<Record<string, () => Promise<unknown>>>)[path];
  const parts = [load?.(), first[language](), isHome ? null : others[language]()];
  for (const part of parts) part?.catch(() => undefined);
  if (isHome) void queryClient.prefetchQuery(latestEntries(session.get() !== null));
  if (path === paths.slotMachine) void queryClient.prefetchQuery(gameConfigs);
  if (!session.get()) return;
  if (path === paths.slotMachine && !isBetPending()) void queryClient.prefetchQuery(slotHistory);
  void queryClient.prefetchQuery(protection);
}
