import { setTimeout as sleep } from 'node:timers/promises';
import { connectNats } from '@reelbook/event-store/bus/nats';
import { openLink, STREAM } from '@reelbook/event-store/bus/nats-stream';
import { proveEvents } from '@reelbook/event-store/hash-chain';
import { readHead } from '@reelbook/event-store/read-log';
import { projections } from '@reelbook/projections/all';
import { readLag } from '@reelbook/projections/lag';
import { silentLog } from '@reelbook/testing/messages';
import type pg from 'pg';

type Streams = Awaited<ReturnType<Awaited<ReturnType<typeof openLink>>['manager']>>['streams'];

/** A stage, or anything else that has gateways and lists which of its services are down. */
export interface Patient {
  readonly services: readonly {
    readonly name: string;
    readonly faults: readonly string[];
    pid(): number | null;
  }[];
  readonly gateways: readonly string[];
  readonly natsUrl: string | null;
}

const LOOK_EVERY_MS = 50;
const READY_TIMEOUT_MS = 5_000;
/** Of all of the stream. */
const READ_TIMEOUT_MS = 60_000;

/** Waits until all services are up and all projections are at the head. @returns what did not recover in time. */
export async function untilRecovered(
  stage: Patient,
  pool: pg.Pool,
  timeoutMs: number,
): Promise<readonly string[]> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const ill = await examine(stage, pool);
    if (ill.length === 0 || performance.now() > deadline) return ill;
    await sleep(LOOK_EVERY_MS);
  }
}

async function examine(stage: Patient, pool: pg.Pool): Promise<readonly string[]> {
  const down = stage.services.filter((service) => service.pid() === null);
  const ill = down.map(({ name }) => `${name} is down`);
  for (const origin of stage.gateways) {
    const ready = await fetch(`${origin}/ready`, { signal: AbortSignal.timeout(READY_TIMEOUT_MS) })
      .then((response) => response.json() as Promise<{ checks: Record<string, string | null> }>)
      .catch((error: unknown) => ({ checks: { gateway: String(error) } }));
    for (const [name, fault] of Object.entries(ready.checks)) {
      const borne = name === 'bus' && stage.natsUrl === null;
      if (fault !== null && !borne) ill.push(`${origin}: ${name}: ${fault}`);
    }
  }
  return [...ill, ...(await examineFollowers(stage, pool))];
}

async function examineFollowers(stage: Patient, pool: pg.Pool): Promise<readonly string[]> {
  const wanted = [
    ...projections.map(({ name }) => name),
    ...(stage.natsUrl === null ? [] : ['publisher']),
  ];
  try {
    const lags = await readLag(pool);
    return wanted.flatMap((name) => {
      const lag = lags.find((one) => one.name === name);
      if (!lag) return [`${name} has not begun`];
      if (lag.status === 'stopped') return [`${name} has stopped: ${lag.error}`];
      return lag.behindPositions > 0 ? [`${name} is ${lag.behindPositions} events behind`] : [];
    });
  } catch (error) {
    return [`the ledger cannot be read: ${error instanceof Error ? error.message : String(error)}`];
  }
}

/**
 * Reads the stream from its beginning: it must end at the head of the ledger, have no gap, and contain the same commands.
 * @returns the first position, the number of commands, and the faults.
 */
export async function examineStream(
  natsUrl: string,
  pool: pg.Pool,
): Promise<{ first: number; commands: number; faults: readonly string[] }> {
  const bus = await connectNats({ url: natsUrl, log: silentLog });
  try {
    // What was appended last is published a moment later.
    const deadline = performance.now() + READ_TIMEOUT_MS;
    let [head, stored] = [await readHead(pool), await bus.lastStored()];
    while (stored?.position !== head.position || stored.hash !== head.hash) {
      if (performance.now() > deadline) {
        const fault = `the stream ends at ${stored?.position}, the ledger at ${head.position}`;
        return { first: 0, commands: 0, faults: [fault] };
      }
      await sleep(LOOK_EVERY_MS);
      [head, stored] = [await readHead(pool), await bus.lastStored()];
    }
    const end = new AbortController();
    const late = AbortSignal.timeout(READ_TIMEOUT_MS);
    const faults: string[] = [];
    let [first, last, batches, commands] = [0, 0, 0, 0];
    await bus.consume({
      name: 'crash',
      from: 1,
      signal: AbortSignal.any([end.signal, late]),
      async onBatch(batch) {
        const { firstPosition, lastPosition } = batch;
        first ||= firstPosition;
        const follows = last === 0 || firstPosition === last + 1;
        if (!follows) faults.push(`the stream goes from ${last} on to ${firstPosition}`);
        const [proven] = await proveEvents(pool, [batch]);
        if (!proven) faults.push(`${firstPosition} to ${lastPosition} are not of the ledger`);
        last = lastPosition;
        batches++;
        commands += batch.commands.length;
        if (last >= head.position) end.abort();
        return true;
      },
    });
    if (late.aborted) faults.push(`the stream was delivered up to ${last} in time`);
    // Counted by the server: a message that is there twice would not be handed over twice.
    const counted = await countStored(natsUrl);
    if (counted !== batches)
      faults.push(`the stream has ${counted} messages, of them ${batches} new`);
    return { first, commands, faults };
  } finally {
    await bus.close();
  }
}

async function countStored(natsUrl: string): Promise<number> {
  return manageStream(natsUrl, async (streams) => (await streams.info(STREAM)).state.messages);
}

/** What an operator with the right of it may do to the stream behind everybody's back. */
export async function manageStream<T>(
  natsUrl: string,
  act: (streams: Streams) => Promise<T>,
): Promise<T> {
  const link = await openLink(natsUrl, silentLog);
  try {
    return await act((await link.manager()).streams);
  } finally {
    await link.close();
  }
}
