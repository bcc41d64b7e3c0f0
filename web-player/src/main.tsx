import './styles/app.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Providers } from './app/providers.tsx';
import { Router } from './app/router.tsx';
import { keepSession } from './features/session/keep-session.ts';
import { startI18n } from './lib/i18n.ts';
import { followSession } from './lib/live.ts';

/** The page shows its loading screen until texts and session are known. */
async function start(): Promise<void> {
  await Promise.all([startI18n(), keepSession()]);
  followSession();
  const root = document.getElementById('root');
  if (!root) throw new Error('index.html has no #root');
  createRoot(root).render(
    <StrictMode>
      <Providers>
        <Router />
      </Providers>
    </StrictMode>,
  );
}

void start();
