import { useEffect, useRef } from 'react';

/** The keyboard help documents each shortcut by the same name. */
export type ShortcutName = 'search' | 'down' | 'up' | 'help' | 'now';

const KEYS: Readonly<Record<string, ShortcutName>> = {
  '/': 'search',
  j: 'down',
  k: 'up',
  '?': 'help',
  n: 'now',
};

type Action = () => void;
const actions = new Map<ShortcutName, Action[]>();

/** Registers a shortcut while the component is mounted. The latest registration wins. */
export function useShortcut(name: ShortcutName, action: Action): void {
  const latest = useRef(action);
  latest.current = action;
  useEffect(() => {
    const run = () => latest.current();
    actions.set(name, [...(actions.get(name) ?? []), run]);
    return () => {
      actions.set(
        name,
        (actions.get(name) ?? []).filter((other) => other !== run),
      );
    };
  }, [name]);
}

/** Handles shortcuts, except in text fields and open dialogs. Called once, by the shell. */
export function useKeyboard(goTo: (letter: string) => boolean): void {
  const go = useRef(goTo);
  go.current = goTo;
  useEffect(() => {
    let afterG = false;
    const onKey = (event: KeyboardEvent) => {
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return;
      if (document.querySelector('[role="dialog"]') && event.key !== '?') return;
      const was = afterG;
      afterG = event.key === 'g';
      if (was && go.current(event.key)) {
        event.preventDefault();
        return;
      }
      const name = KEYS[event.key];
      const action = name && actions.get(name)?.at(-1);
      if (!action) return;
      event.preventDefault();
      action();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
