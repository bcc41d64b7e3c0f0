import './styles/app.css';

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

/** Before there are texts: the specification's words, and the way to try again. */
function showFailure(error: unknown): void {
  console.error(error);
  delete document.documentElement.dataset.first;
  const boot = document.querySelector('.boot');
  if (!boot) return;
  const words = document.createElement('span');
  words.setAttribute('role', 'alert');
  words.textContent = 'Failed to initialize app';
  const again = document.createElement('button');
  again.type = 'button';
  again.className = 'boot-again';
  again.textContent = 'Load again · 重新加载';
  again.onclick = () => location.reload();
  boot.querySelector('span')?.replaceWith(words, again);
}

load().catch(showFailure);
