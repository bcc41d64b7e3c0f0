import { setTimeout as sleep } from 'node:timers/promises';

/** Wakes a loop that waits for work. A ring without a waiter is kept for the next wait. */
export interface Alarm {
  ring(): void;
  /** Resolves at the next ring (true) or after `timeoutMs` (false). One waiter at a time. */
  wait(timeoutMs: number): Promise<boolean>;
}

export function createAlarm(): Alarm {
  let rung = false;
  let wake: (() => void) | null = null;
  return {
    ring() {
      if (wake) wake();
      else rung = true;
    },
    wait(timeoutMs) {
      if (rung) {
        rung = false;
        return Promise.resolve(true);
      }
      return new Promise((resolve) => {
        const end = (byRing: boolean) => {
          wake = null;
          clearTimeout(timer);
          resolve(byRing);
        };
        const timer = setTimeout(() => end(false), timeoutMs);
        wake = () => end(true);
      });
    },
  };
}

/** Resolves after `timeoutMs`, or when `signal` aborts. */
export const pause = (timeoutMs: number, signal: AbortSignal): Promise<void> =>
  sleep(timeoutMs, undefined, { signal }).catch(() => {});

/** The result of `work`, which goes on after `timeoutMs`: then undefined. */
export async function within<T>(timeoutMs: number, work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), timeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
