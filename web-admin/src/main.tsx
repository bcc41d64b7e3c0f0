import './styles/app.css';
import { showBootFailure } from '@reelbook/web/boot';
import { ignoreHeldEnter } from '@reelbook/web/held-enter';
import { startMotion } from '@reelbook/web/motion';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from './app/router.tsx';
import { startI18n } from './lib/i18n.ts';
import { queryClient } from './lib/queries.ts';
import { keepSession } from './resources/session/keep-session.ts';

/** The loading screen stays until texts and session are loaded. */
async function start(): Promise<void> {
  startMotion();
  ignoreHeldEnter();
  await Promise.all([startI18n(), keepSession()]);
  const root = document.getElementById('root');
  if (!root) throw new Error('index.html has no #root');
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <Router />
      </QueryClientProvider>
    </StrictMode>,
  );
}

start().catch((error: unknown) => showBootFailure(error, 'The console could not be loaded'));
