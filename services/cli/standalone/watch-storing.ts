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
  // Each clears only its own failure: a server may read while it cannot write.
  const failingSinceMs = {
    publish: Number.POSITIVE_INFINITY,
    lastStored: Number.POSITIVE_INFINITY,
  };

  async function watch<T>(request: keyof typeof failingSinceMs, work: Promise<T>): Promise<T> {
    try {
      const result = await work;
      failingSinceMs[request] = Number.POSITIVE_INFINITY;
      return result;
    } catch (error) {
      const nowMs = performance.now();
      const responded = error instanceof OutOfOrder;
      const sinceMs = responded
        ? Number.POSITIVE_INFINITY
        : Math.min(failingSinceMs[request], nowMs);
      failingSinceMs[request] = sinceMs;
      if (nowMs - sinceMs >= stuckMs) onStuck(stuckMs, String(error));
      throw error;
    }
  }

  return {
    ...bus,
    publish: (commands) => watch('publish', bus.publish(commands)),
    lastStored: () => watch('lastStored', bus.lastStored()),
    healthy: () =>
      bus.healthy() && Object.values(failingSinceMs).every((ms) => ms === Number.POSITIVE_INFINITY),
  };
}
