import './styles/app.css';
import { showBootFailure } from '@reelbook/web/boot';
import { requestAhead } from './app/ahead.ts';
import { keepSession } from './features/session/keep-session.ts';

/** In steps, so that no task is long: the library that renders, then the app. */
async function load(): Promise<void> {
  const known = keepSession();
  requestAhead();
  await import('react-dom/client');
  await nextTask();
  const { start } = await import('./start.tsx');
  await nextTask();
  await start(known);
}

/** Lets the page paint and respond in between. */
const nextTask = () => new Promise((wake) => setTimeout(wake));

load().catch((error: unknown) =>
  showBootFailure(error, 'Failed to initialize app', 'Reload page · 重新加载'),
);
