import { useEffect, useRef } from 'react';

/** Elements for which Space has another meaning. */
const TAKEN = 'input, textarea, select, button, a, summary, [contenteditable], [role="dialog"]';

/**
 * Calls `onSpace` when Space was pressed and released outside of controls and dialogs. A key that is held down counts once.
 */
export function useSpace(onSpace: () => void): void {
  const act = useRef(onSpace);
  act.current = onSpace;
  useEffect(() => {
    let isPressed = false;
    const isFree = ({ target, code, ctrlKey, altKey, metaKey }: KeyboardEvent) =>
      code === 'Space' &&
      !(ctrlKey || altKey || metaKey) &&
      !(target instanceof Element && target.closest(TAKEN)) &&
      document.querySelector('dialog[open], [aria-modal="true"]') === null;
    const press = (event: KeyboardEvent) => {
      if (!isFree(event)) return;
      // Without this, Space scrolls the page.
      event.preventDefault();
      isPressed = true;
    };
    const release = (event: KeyboardEvent) => {
      if (isPressed && isFree(event)) act.current();
      if (event.code === 'Space') isPressed = false;
    };
    document.addEventListener('keydown', press);
    document.addEventListener('keyup', release);
    return () => {
      document.removeEventListener('keydown', press);
      document.removeEventListener('keyup', release);
    };
  }, []);
}
