import { type Bus, OutOfOrder } from '@reelbook/event-store/bus/bus';

/** Three requests without a response. */
const STUCK_MS = 15_000;

/**
 * A bus that reports when nothing could be stored for a while. nats-server 2.9 blocks permanently after a failed write, as
 * on a full disk, and newer ones disable JetStream: both accept connections, and only a restart helps.
 */
export function watchStoring(
  bus: Bus,
  onStuck: (failingMs: number, reason: string) => void,
  stuckMs = STUCK_MS,
): Bus {
  let failingSinceMs: number | null = null;

  async function watch<T>(work: Promise<T>): Promise<T> {
    try {
      const result = await work;
      failingSinceMs = null;
      return result;
    } catch (error) {
      if (error instanceof OutOfOrder) {
        failingSinceMs = null;
        throw error;
      }
      failingSinceMs ??= performance.now();
      if (performance.now() - failingSinceMs >= stuckMs) onStuck(stuckMs, String(error));
      throw error;
    }
  }

  return {
    ...bus,
    publish: (commands) => watch(bus.publish(commands)),
    lastStored: () => watch(bus.lastStored()),
    healthy: () => bus.healthy() && failingSinceMs === null,
  };
}
