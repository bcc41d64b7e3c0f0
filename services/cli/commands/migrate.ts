/** `npm run reelbook -- migrate`: applies new migrations to the database. */
import { isUnavailable, openPool } from '@reelbook/event-store/db';
import { migrateAll } from '@reelbook/projections/all';
import { defineCommand, print } from '@reelbook/runtime/command';
import { readSettings } from '@reelbook/runtime/settings';

export const command = defineCommand({
  usage: { '': '' },
  about: `Applies new migrations to the database of DATABASE_URL. Requires a login that may create tables and roles. Verifies the
applied migrations first and changes nothing if they differ from this build. Take a backup first.`,
  options: {},
  async run() {
    const settings = readSettings(['databaseUrl']);
    const pool = openPool({ url: settings.databaseUrl, role: 'owner', max: 1, name: 'migrate' });
    try {
      const applied = await migrateAll(pool);
      return print(applied.length > 0 ? `applied ${applied.join(', ')}` : 'up to date');
    } finally {
      await pool.end();
    }
  },
  explain(error) {
    const why = error instanceof Error ? error.message : String(error);
    return `${isUnavailable(error) ? 'The database does not respond' : 'The migration failed'}: ${why}`;
  },
});
