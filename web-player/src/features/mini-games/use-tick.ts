import { useEffect, useState } from 'react';
import type { Running } from './use-timed-round.ts';

/** `count`: ticks since the start of the round. `intoMs`: the time since the last of them. */
export interface Moment {
  readonly count: number;
  readonly intoMs: number;
}

const START: Moment = { count: 0, intoMs: 0 };

/**
 * The moment of a round: it changes once a tick, and is right again as soon as a hidden tab is shown. Between two ticks only
 * styles move.
 */
export function useTick(running: Running | null): Moment {
  const [moment, setMoment] = useState<{ of: Running; at: Moment } | null>(null);
  useEffect(() => {
    if (!running) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const follow = () => {
      clearTimeout(timer);
      const at = momentOf(running, performance.now());
      setMoment((now) =>
        now?.of === running && now.at.count === at.count ? now : { of: running, at },
      );
      if (at.count < running.ticks.length) timer = setTimeout(follow, running.tickMs - at.intoMs);
    };
    follow();
    document.addEventListener('visibilitychange', follow);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', follow);
    };
  }, [running]);
  if (!running) return START;
  return moment?.of === running ? moment.at : momentOf(running, performance.now());
}

export function momentOf({ ticks, tickMs, beganMs }: Running, nowMs: number): Moment {
  const elapsedMs = Math.max(0, nowMs - beganMs);
  const count = Math.min(Math.floor(elapsedMs / tickMs), ticks.length);
  return { count, intoMs: count === ticks.length ? 0 : elapsedMs - count * tickMs };
}
