/** Second half of `npm run generate`: writes the published test vectors. */
import { writeFileSync } from 'node:fs';
import { makeVectors, VECTORS_FILE } from './vectors.ts';

writeFileSync(VECTORS_FILE, `${JSON.stringify(makeVectors(), null, 2)}\n`);
