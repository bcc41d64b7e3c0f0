import './styles/app.css';
import { startMotion } from '@reelbook/web/motion';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Providers } from './app/providers.tsx';
import { Router } from './app/router.tsx';
import { startI18n } from './lib/i18n.ts';
import { keepSession } from './resources/session/keep-session.ts';

/** The page shows its loading screen until texts and session are known. */
async function start(): Promise<void> {
  startMotion();
  await Promise.all([startI18n(), keepSession()]);
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

/** Before there are texts: what is so, and the way to try again. */
function showFailure(error: unknown): void {
  console.error(error);
  const boot = document.querySelector('.boot');
  if (!boot) return;
  const words = document.createElement('span');
  words.setAttribute('role', 'alert');
  words.textContent = 'The console could not be loaded';
  const again = document.createElement('button');
  again.type = 'button';
  again.className = 'boot-again';
  again.textContent = 'Load again · 重新加载';
  again.onclick = () => location.reload();
  boot.querySelector('span')?.replaceWith(words, again);
}

start().catch(showFailure);
