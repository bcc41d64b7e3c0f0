import { deviceStorage } from './storage.ts';
import { createStore, useStore } from './store.ts';

const MOTION_KEY = 'motion';
const SYSTEM = matchMedia('(prefers-reduced-motion: reduce)');

/** Whether animations run: the player's choice, else the system's preference. Styles read `data-motion`. */
const reducedMotion = createStore(wantsLess());

export function chooseReducedMotion(reduced: boolean): void {
  deviceStorage.set(MOTION_KEY, reduced ? 'reduced' : 'full');
  follow();
}

/** Called once, before the first render. */
export function startMotion(): void {
  SYSTEM.addEventListener('change', follow);
  window.addEventListener('storage', follow);
  follow();
}

export const useReducedMotion = () => useStore(reducedMotion);

function follow(): void {
  const reduced = wantsLess();
  document.documentElement.dataset.motion = reduced ? 'reduced' : 'full';
  reducedMotion.set(reduced);
}

function wantsLess(): boolean {
  const kept = deviceStorage.get(MOTION_KEY);
  return kept === null ? SYSTEM.matches : kept === 'reduced';
}
