import { randomBytes } from 'node:crypto';

export type Purpose = 'server seed' | 'client seed' | 'request id';

/**
 * Random bytes of the operating system. Purpose and wallet change nothing here: the tests replace this module by one whose
 * bytes follow from them (libs/testing/setup-draws.ts).
 */
export function drawBytes(sizeBytes: number, _purpose: Purpose, _wallet: string): Buffer {
  return randomBytes(sizeBytes);
}
