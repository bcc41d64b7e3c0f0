import { randomBytes } from 'node:crypto';

export type Purpose = 'server seed' | 'client seed' | 'request id';

/** Bytes for request ids, drawn together: a call costs more than its bytes. */
const POOL_BYTES = 4_096;
let pool = Buffer.alloc(0);

/**
 * Random bytes of the operating system. The wallet changes nothing here: the tests replace this module by one whose bytes
 * follow from it (libs/testing/setup-draws.ts).
 */
export function drawBytes(sizeBytes: number, purpose: Purpose, _wallet: string): Buffer {
  if (purpose !== 'request id') return randomBytes(sizeBytes);
  if (pool.length < sizeBytes) pool = randomBytes(POOL_BYTES);
  const bytes = pool.subarray(0, sizeBytes);
  pool = pool.subarray(sizeBytes);
  return bytes;
}
