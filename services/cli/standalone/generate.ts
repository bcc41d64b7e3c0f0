/** Second half of `npm run generate`: writes the pages of docs that follow from the code. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from '@reelbook/runtime/repository';
import { settingsPage } from '@reelbook/runtime/settings-table';
import { limitsPage, metricsPage } from './pages.ts';

writeFileSync(join(REPOSITORY, 'docs/settings.md'), settingsPage());
writeFileSync(join(REPOSITORY, 'docs/limits.md'), limitsPage());
writeFileSync(join(REPOSITORY, 'docs/metrics.md'), metricsPage());
