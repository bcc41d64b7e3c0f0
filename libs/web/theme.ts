import { deviceStorage } from './storage.ts';
import { createStore } from './store.ts';

const THEME_KEY = 'theme';
const GROUND = { dark: '#0b0d11', light: '#f7f5f0' };

export type Theme = 'dark' | 'light';

/** The player's choice, else the browser's preference; `public/theme.js` has set it before the first paint. */
export const theme = createStore<Theme>(
  document.documentElement.dataset.theme === 'light' ? 'light' : 'dark',
);

export function chooseTheme(next: Theme): void {
  deviceStorage.set(THEME_KEY, next);
  show(next);
}

// Chosen in another tab.
window.addEventListener('storage', () => {
  const kept = deviceStorage.get(THEME_KEY);
  if (kept === 'dark' || kept === 'light') show(kept);
});

function show(next: Theme): void {
  document.documentElement.dataset.theme = next;
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', GROUND[next]);
  theme.set(next);
}
