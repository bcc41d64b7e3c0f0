/** `npm run generate`: writes what follows from the code: two pages of docs, and the published test vectors. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from '@reelbook/runtime/repository';
import { settingsPage } from '@reelbook/runtime/settings-table';
import { metricsPage } from './metrics-page.ts';
import { makeVectors, VECTORS_FILE } from './vectors.ts';

writeFileSync(join(REPOSITORY, 'docs/settings.md'), settingsPage());
writeFileSync(join(REPOSITORY, 'docs/metrics.md'), metricsPage());
writeFileSync(VECTORS_FILE, `${JSON.stringify(makeVectors(), null, 2)}\n`);
