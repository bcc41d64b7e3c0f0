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
export function pause(timeoutMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, timeoutMs);
    signal.addEventListener('abort', end);
  });
}
