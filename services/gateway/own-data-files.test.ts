import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { EXPORT_STALL_BYTES, EXPORT_STALL_MS } from './limits.ts';
import { untilStalled } from './reads/own-data.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

const PART = 'x'.repeat(1_000);

/** A file of so many parts, and how often it was stalled and ended. */
function open(count: number, make: () => Promise<void> = async () => {}) {
  const happened = { stalled: 0, ended: 0 };
  async function* parts() {
    for (let n = 0; n < count; n++) {
      await make();
      yield PART;
    }
  }
  const on = { stall: () => happened.stalled++, end: () => happened.ended++ };
  return { happened, body: Readable.from(untilStalled(parts(), on), { objectMode: false }) };
}

async function readBytes(body: Readable, bytes: number): Promise<void> {
  for (let read = 0; read < bytes; ) {
    const part: Buffer | null = body.read();
    read += part?.length ?? 0;
    if (!part) await setImmediate();
  }
}

/** The stream has made what its buffer holds. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 500; turn++) await setImmediate();
}

test('a client that reads fewer bytes than the bound in its time is stalled', async () => {
  const { body, happened } = open(1_000_000);
  await readBytes(body, EXPORT_STALL_BYTES);
  await settle();
  vi.advanceTimersByTime(EXPORT_STALL_MS);
  expect(happened).toEqual({ stalled: 0, ended: 0 });
  await readBytes(body, EXPORT_STALL_BYTES / 2);
  await settle();
  vi.advanceTimersByTime(EXPORT_STALL_MS);
  expect(happened).toEqual({ stalled: 1, ended: 0 });
  body.destroy();
  await settle();
  expect(happened.ended).toBe(1);
  expect(vi.getTimerCount()).toBe(0);
});

test('a slow database stalls no client', async () => {
  const { body, happened } = open(1_000, () => new Promise(() => {}));
  body.read();
  await settle();
  vi.advanceTimersByTime(10 * EXPORT_STALL_MS);
  expect(happened).toEqual({ stalled: 0, ended: 0 });
});

test('the last part that is read ends it', async () => {
  const { body, happened } = open(3);
  await readBytes(body, 3 * PART.length);
  await settle();
  vi.advanceTimersByTime(EXPORT_STALL_MS);
  expect(happened).toEqual({ stalled: 0, ended: 1 });
  expect(vi.getTimerCount()).toBe(0);
});
