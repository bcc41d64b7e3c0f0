/** Part of `npm run generate`: writes docs/settings.md and docs/metrics.md. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from '@reelbook/runtime/repository';
import { settingsPage } from '@reelbook/runtime/settings-table';
import { metricsPage } from './metrics-page.ts';

writeFileSync(join(REPOSITORY, 'docs/settings.md'), settingsPage());
writeFileSync(join(REPOSITORY, 'docs/metrics.md'), metricsPage());
