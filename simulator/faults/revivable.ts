import { setTimeout as sleep } from 'node:timers/promises';

/** A server that is restarted some time after it was killed. */
export interface Revivable {
  /** Ends it as kill -9 does. Resolves when it is dead. @returns false where it is down already. */
  kill(downMs: number): Promise<boolean>;
  /** Resolves when no start is under way. */
  settled(): Promise<void>;
}

export function revivable(server: { kill(): Promise<void>; start(): Promise<void> }): Revivable {
  let up = true;
  let starting: Promise<void> = Promise.resolve();
  return {
    async kill(downMs) {
      if (!up) return false;
      up = false;
      await server.kill();
      starting = sleep(downMs).then(async () => {
        await server.start();
        up = true;
      });
      starting.catch(() => {});
      return true;
    },
    settled: () => starting,
  };
}
