import './styles/app.css';

/** In two steps, so that no task is a long one: first the library that draws, then the app that draws with it. */
async function load(): Promise<void> {
  await import('react-dom/client');
  const { start } = await import('./start.tsx');
  await start();
}

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
