/** `npm run settings`: writes docs/settings.md from the table of settings. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from '@reelbook/runtime/repository';
import { settingsPage } from '@reelbook/runtime/settings-table';

writeFileSync(join(REPOSITORY, 'docs/settings.md'), settingsPage());
