import { ignoreHeldEnter } from '@reelbook/web/held-enter';
import { startMotion } from '@reelbook/web/motion';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { preloadPage, Router } from './app/router.tsx';
import { SharedTexts } from './components/shared-texts.tsx';
import { startI18n } from './lib/i18n.ts';
import { currentPath } from './lib/paths.ts';
import { queryClient, walletBalance } from './lib/queries.ts';
import { session } from './lib/session-store.ts';

/** At the latest after this time, also in browsers without idle callbacks. */
const IDLE_AFTER_MS = 3_000;

/**
 * The loading screen stays until the page is loaded and it is known who is signed in.
 * @param known resolves then
 */
export async function start(known: Promise<void>): Promise<void> {
  startMotion();
  ignoreHeldEnter();
  await Promise.all([known, startI18n().then(() => preloadPage(currentPath()))]);
  const root = document.getElementById('root');
  if (!root) throw new Error('index.html has no #root');
  // As a transition the first render is split, so that the page stays responsive.
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <QueryClientProvider client={queryClient}>
          <SharedTexts>
            <Router />
          </SharedTexts>
        </QueryClientProvider>
      </StrictMode>,
    ),
  );
  followWallet();
}

/** Wallet code, and the wallet's balance, are loaded after a player is signed in, when the page is rendered. */
function followWallet(): void {
  let following = false;
  const follow = () => {
    if (following || !session.get() || queryClient.isFetching() > 0) return;
    following = true;
    whenIdle(() => {
      void queryClient.prefetchQuery(walletBalance);
      import('./features/session/watch-wallet.ts')
        .then(({ watchWallet }) => watchWallet())
        .catch(() => {
          following = false;
        });
    });
  };
  session.subscribe(follow);
  queryClient.getQueryCache().subscribe(follow);
  follow();
}

const whenIdle = (run: () => void) =>
  'requestIdleCallback' in window
    ? requestIdleCallback(run, { timeout: IDLE_AFTER_MS })
    : setTimeout(run, IDLE_AFTER_MS);
