/**
 * Runs before each test file: what the process of the tests draws (server seeds, client seeds, request ids, wallets,
 * properties of fast-check) follows from the seed of the file. Session tokens, names of leases, and the processes that
 * tests start stay random.
 */
import { relative } from 'node:path';
import { REPOSITORY } from '@reelbook/runtime/repository';
import { Keypair } from '@solana/web3.js';
import fc from 'fast-check';
import nacl from 'tweetnacl';
import { afterEach, expect, vi } from 'vitest';
import { createBytes, DEFAULT_SEED, SEED } from './seeds.ts';

fc.configureGlobal({ seed: SEED });

const file = relative(REPOSITORY, expect.getState().testPath ?? '');
const bytes = createBytes(SEED, file);

vi.mock('@reelbook/event-store/random', () => {
  return {
    drawBytes: (sizeBytes: number, purpose: string, wallet: string) =>
      globalThis.drawTestBytes(sizeBytes, purpose, wallet),
  };
});
globalThis.drawTestBytes = bytes;
nacl.setPRNG((target, length) => target.set(bytes(length, 'wallet')));
Keypair.generate = () => Keypair.fromSeed(bytes(nacl.sign.seedLength, 'wallet'));

declare global {
  var drawTestBytes: ReturnType<typeof createBytes>;
}

// fast-check prints its seed when a property fails; other failures need it as well.
if (SEED !== DEFAULT_SEED) {
  afterEach(({ task }) => {
    if (task.result?.state === 'fail') console.error(`To repeat "${task.name}": TEST_SEED=${SEED}`);
  });
}
