import './styles/app.css';
import { showBootFailure } from '@reelbook/web/boot';

/** Step by step, so that no task is a long one: what draws, what speaks, then the app that uses both. */
async function load(): Promise<void> {
  await import('react-dom/client');
  await nextTask();
  await import('./lib/i18n.ts');
  await nextTask();
  const { start } = await import('./start.tsx');
  await nextTask();
  await start();
}

/** Lets the page paint and answer in between. */
const nextTask = () => new Promise((wake) => setTimeout(wake));

load().catch((error: unknown) => showBootFailure(error, 'Failed to initialize app'));
