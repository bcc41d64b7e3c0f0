import { startMotion } from '@reelbook/web/motion';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { preloadHome, Router } from './app/router.tsx';
import { keepSession } from './features/session/keep-session.ts';
import { startI18n } from './lib/i18n.ts';
import { followSession } from './lib/live.ts';
import { queryClient } from './lib/queries.ts';
import { session } from './lib/session-store.ts';

/** The page shows its loading screen until texts and session are loaded. */
export async function start(): Promise<void> {
  startMotion();
  await Promise.all([startI18n(), keepSession(), preloadHome(location.pathname)]);
  followSession();
  const root = document.getElementById('root');
  if (!root) throw new Error('index.html has no #root');
  // As a transition the first render is split, so that the page stays responsive.
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <QueryClientProvider client={queryClient}>
          <Router />
        </QueryClientProvider>
      </StrictMode>,
    ),
  );
  followWallet();
}

/** Wallet code is loaded only after a player is signed in. */
function followWallet(): void {
  let following = false;
  const follow = () => {
    if (following || !session.get()) return;
    following = true;
    import('./features/session/watch-wallet.ts')
      .then(({ watchWallet }) => watchWallet())
      .catch(() => {
        following = false;
      });
  };
  session.subscribe(follow);
  follow();
}
