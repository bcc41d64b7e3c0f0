import { setTimeout as sleep } from 'node:timers/promises';
import { projections } from '@reelbook/projections/all';
import type { Compose } from '../stages/compose.ts';

/** The log line that a process of each service writes when it becomes the active one, by lease. */
const SERIES = {
  publisher: { pattern: /^reelbook_publisher_leader\b.* 1$/gm, works: 1 },
  cashier: { pattern: /^reelbook_cashier_leader\b.* 1$/gm, works: 1 },
  projector: { pattern: /^reelbook_projection_leader\b.* 1$/gm, works: projections.length },
} as const;

export type Follower = keyof typeof SERIES;
export const FOLLOWERS = ['publisher', 'projector', 'cashier'] as const;

/** A container that was killed has to start first. */
const SETTLED_TIMEOUT_MS = 60_000;
const LOOK_EVERY_MS = 500;

/** Asks all containers of a service until all answer and each thing is done by exactly one; throws if it never is. */
export async function untilEachHasOne(compose: Compose, service: Follower): Promise<void> {
  const { pattern, works } = SERIES[service];
  const deadline = performance.now() + SETTLED_TIMEOUT_MS;
  for (;;) {
    const containers = await compose.containers(service);
    const texts = await Promise.all(
      containers.map(({ id }) => compose.metrics(id).catch(() => null)),
    );
    const acting = texts.flatMap((text) => text?.match(pattern) ?? []);
    const once = new Set(acting).size === acting.length && acting.length === works;
    if (once && !texts.includes(null)) return;
    if (performance.now() > deadline) {
      const silent = texts.filter((text) => text === null).length;
      throw new Error(`${service}: ${acting.length} act, not ${works}; ${silent} do not answer`);
    }
    await sleep(LOOK_EVERY_MS);
  }
}
