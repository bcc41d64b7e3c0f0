import { createHash, createHmac } from 'node:crypto';

/** The draws of docs/fairness.md a second time, with node:crypto alone: tests hold libs/games/fairness against them. */

export type Numbers = Generator<number, never>;

export const bytesOf = (hex: string) => Buffer.from(hex, 'hex');

export function plainHash(...parts: readonly (Buffer | string)[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/** Numbers of 32 bits under a key in hex; `messageOf` names block 0, 1, 2, ... */
export function* plainNumbers(key: string, messageOf: (block: number) => string): Numbers {
  for (let block = 0; ; block++) {
    const bytes = createHmac('sha256', bytesOf(key)).update(messageOf(block)).digest();
    for (let i = 0; i < bytes.length; i += 4) yield bytes.readUInt32BE(i);
  }
}

export function plainBelow(numbers: Numbers, n: number): number {
  for (;;) {
    const v = numbers.next().value;
    if (v < 2 ** 32 - (2 ** 32 % n)) return v % n;
  }
}
