/** Runs before each test file: fast-check draws from the seed of the file. */
import fc from 'fast-check';
import { afterEach } from 'vitest';
import { DEFAULT_SEED, SEED } from './seeds.ts';

fc.configureGlobal({ seed: SEED });

// fast-check prints its seed when a property fails; other failures need it as well.
if (SEED !== DEFAULT_SEED) {
  afterEach(({ task }) => {
    if (task.result?.state === 'fail') console.error(`To repeat "${task.name}": TEST_SEED=${SEED}`);
  });
}
