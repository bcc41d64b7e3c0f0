import { useEffect, useRef } from 'react';

/** What each key does is said in the help under the same name. */
export type ShortcutName = 'search' | 'down' | 'up' | 'older' | 'newer' | 'help' | 'now';

const KEYS: Readonly<Record<string, ShortcutName>> = {
  '/': 'search',
  j: 'down',
  k: 'up',
  '[': 'older',
  ']': 'newer',
  '?': 'help',
  n: 'now',
};

type Action = () => void;
const actions = new Map<ShortcutName, Action[]>();

/** Gives a key its meaning while the component is shown; the newest meaning holds. */
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

/** Listens to the keyboard, but not while someone types, nor over an open dialog. Called once, by the shell. */
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
