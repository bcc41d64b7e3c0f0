import './styles/app.css';
import { showBootFailure } from '@reelbook/web/boot';

/** In steps, so that no task is long: rendering, texts, then the app that uses both. */
async function load(): Promise<void> {
  await import('react-dom/client');
  await nextTask();
  await import('./lib/i18n.ts');
  await nextTask();
  const { start } = await import('./start.tsx');
  await nextTask();
  await start();
}

/** Lets the page paint and respond in between. */
const nextTask = () => new Promise((wake) => setTimeout(wake));

load().catch((error: unknown) => showBootFailure(error, 'Failed to initialize app'));
