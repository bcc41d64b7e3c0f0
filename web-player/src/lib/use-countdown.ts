import { useEffect, useRef, useState } from 'react';

/**
 * Calls `onEnd` once after `ms`, not counting pauses, so that reading and hovering extend the time.
 * @returns the callbacks that start and end a pause.
 */
export function useCountdown(ms: number, onEnd: () => void): (paused: boolean) => void {
  const [paused, setPaused] = useState(false);
  const left = useRef(ms);
  const end = useRef(onEnd);
  end.current = onEnd;
  useEffect(() => {
    if (paused) return;
    const since = performance.now();
    const timer = setTimeout(() => end.current(), Math.max(0, left.current));
    return () => {
      clearTimeout(timer);
      left.current -= performance.now() - since;
    };
  }, [paused]);
  return setPaused;
}
