import { useSyncExternalStore } from 'react';

const REDUCED = matchMedia('(prefers-reduced-motion: reduce)');

/** Whether the player's system asks for less motion. */
export function useReducedMotion(): boolean {
  return useSyncExternalStore(
    (listener) => {
      REDUCED.addEventListener('change', listener);
      return () => REDUCED.removeEventListener('change', listener);
    },
    () => REDUCED.matches,
  );
}
