/** Brings the ledger of DATABASE_URL up to date, as a login that may create tables and roles. */
import { isUnavailable, openPool } from '@reelbook/event-store/db';
import { migrate } from '@reelbook/event-store/migrate';
import { say } from '@reelbook/runtime/command';
import { defineCommand } from '@reelbook/runtime/command-line';
import { readSettings } from '@reelbook/runtime/settings';

export const command = defineCommand({
  usage: { '': '' },
  about: `Brings the ledger of DATABASE_URL up to date, as a login that may create tables and roles. New migrations only add; what
is there already is compared with this build's, and nothing is changed where it differs. Take a backup first.`,
  options: {},
  async run() {
    const settings = readSettings(['databaseUrl']);
    const pool = openPool({ url: settings.databaseUrl, role: 'owner', max: 1, name: 'migrate' });
    try {
      const applied = await migrate(pool);
      return say(applied.length > 0 ? `applied ${applied.join(', ')}` : 'up to date');
    } finally {
      await pool.end();
    }
  },
  explain(error) {
    const why = error instanceof Error ? error.message : String(error);
    return `${isUnavailable(error) ? 'The database does not answer' : 'It could not be done'}: ${why}`;
  },
});
