/** `npm run settings`: writes docs/settings.md from the table of settings. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { settingsPage } from '@reelbook/runtime/settings-table';
import { REPOSITORY } from './repository.ts';

writeFileSync(join(REPOSITORY, 'docs/settings.md'), settingsPage());
