/** `npm run migrate`: brings the book of DATABASE_URL up to date, as a login that may create tables and roles. */
import { isUnavailable, openPool } from '@reelbook/event-store/db';
import { migrate } from '@reelbook/event-store/migrate';
import { type Exit, runCommand, say } from '@reelbook/runtime/command';
import { readSettings } from '@reelbook/runtime/settings';

await runCommand(bringUpToDate, (error) =>
  isUnavailable(error) ? `The database does not answer: ${String(error)}` : null,
);

async function bringUpToDate(): Promise<Exit> {
  const settings = readSettings(['databaseUrl']);
  const pool = openPool({ url: settings.databaseUrl, role: 'owner', max: 1, name: 'migrate' });
  try {
    const applied = await migrate(pool);
    return say(applied.length > 0 ? `applied ${applied.join(', ')}` : 'up to date');
  } finally {
    await pool.end();
  }
}
