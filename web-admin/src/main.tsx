import './styles/app.css';
import { showBootFailure } from '@reelbook/web/boot';
import { english } from '@reelbook/web/english';
import { ignoreHeldEnter } from '@reelbook/web/held-enter';
import { startMotion } from '@reelbook/web/motion';
import { SharedTexts } from '@reelbook/web/texts';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from './app/router.tsx';
import { queryClient } from './lib/queries.ts';
import { keepSession } from './resources/session/keep-session.ts';

/** The loading screen stays until the session is known. */
async function start(): Promise<void> {
  startMotion();
  ignoreHeldEnter();
  await keepSession();
  const root = document.getElementById('root');
  if (!root) throw new Error('index.html has no #root');
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <SharedTexts value={(key) => english[key]}>
          <Router />
        </SharedTexts>
      </QueryClientProvider>
    </StrictMode>,
  );
}

start().catch((error: unknown) =>
  showBootFailure(error, 'The console could not be loaded', 'Reload page'),
);
