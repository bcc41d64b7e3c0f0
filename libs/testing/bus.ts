import type { Bus } from '@reelbook/event-store/bus/bus';
import { createInProcessBus } from '@reelbook/event-store/bus/in-process';
import { connectNats } from '@reelbook/event-store/bus/nats';
import { silentLog as log } from './messages.ts';
import { natsAvailable, startNats, type TestNats } from './nats.ts';

export interface TestBus {
  /** Null: the bus is in this process. */
  readonly nats: TestNats | null;
  /** Another process's handle on the bus. */
  open(): Promise<Bus>;
  stop(): Promise<void>;
}

/**
 * The bus of suites that need one: NATS, or the in-process bus on a machine without nats-server. `bus.db.test.ts` is what
 * both must pass.
 */
export async function startBus(): Promise<TestBus> {
  if (!natsAvailable()) {
    const bus = createInProcessBus();
    return { nats: null, open: async () => bus, stop: () => bus.close() };
  }
  const nats = await startNats();
  return { nats, open: () => connectNats({ url: nats.url, log }), stop: nats.stop };
}
