import { useLayoutEffect, useRef } from 'react';
import { placeFreely } from '../free-spot.ts';
import { useStore } from '../store.ts';
import { useText } from '../texts.ts';
import { dismissToast, toasts } from '../toasts.ts';
import { CloseIcon } from './icons.tsx';

const DOTS = { plain: 'bg-brass', good: 'bg-mint', bad: 'bg-coral' } as const;

/** The page may scroll or change under a toast. */
const LOOK_EVERY_MS = 200;

/** Toasts; announced, removed after a reading time, and not over a control where there is room. */
export function ToastRegion() {
  const textOf = useText();
  const shown = useStore(toasts);
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const region = box.current;
    if (!region) return;
    if (shown.length === 0) return void region.style.removeProperty('top');
    placeFreely(region);
    const looking = setInterval(() => placeFreely(region), LOOK_EVERY_MS);
    return () => clearInterval(looking);
  }, [shown]);
  return (
    <div ref={box} className="toasts" aria-live="polite" role="status">
      {shown.map(({ id, tone, text, lang }) => (
        <div
          key={id}
          className="toast flex items-center gap-3 rounded-md border border-line-strong bg-ink-2 py-1 pr-1 pl-4 text-sm"
        >
          <span aria-hidden="true" className={`size-2 shrink-0 rounded-full ${DOTS[tone]}`} />
          <span className="wrap-anywhere min-w-0 flex-1 py-2" lang={lang}>
            {text}
          </span>
          <button
            type="button"
            className="grid size-11 shrink-0 place-items-center rounded-sm text-fg-3 hover:text-fg"
            aria-label={textOf('dismiss')}
            onClick={() => dismissToast(id)}
          >
            <CloseIcon />
          </button>
        </div>
      ))}
    </div>
  );
}
