/** `npm run migrate`: brings the book of DATABASE_URL up to date, as a login that may create tables and roles. */
import { parseArgs } from 'node:util';
import { isUnavailable, openPool } from '@reelbook/event-store/db';
import { migrate } from '@reelbook/event-store/migrate';
import { type Exit, runCommand, say } from '@reelbook/runtime/command';
import { readSettings } from '@reelbook/runtime/settings';

const HELP = `npm run migrate

Brings the book of DATABASE_URL up to date, as a login that may create tables and roles. New migrations only add; what
is there already is compared with this build's, and nothing is changed where it differs. Take a backup first.

Exit code 0: up to date. 2: it could not be done, and says why.`;

await runCommand(bringUpToDate, (error) => {
  const why = error instanceof Error ? error.message : String(error);
  return `${isUnavailable(error) ? 'The database does not answer' : 'It could not be done'}: ${why}`;
});

async function bringUpToDate(): Promise<Exit> {
  const { values } = parseArgs({
    options: { help: { type: 'boolean', short: 'h', default: false } },
  });
  if (values.help) return say(HELP);
  const settings = readSettings(['databaseUrl']);
  const pool = openPool({ url: settings.databaseUrl, role: 'owner', max: 1, name: 'migrate' });
  try {
    const applied = await migrate(pool);
    return say(applied.length > 0 ? `applied ${applied.join(', ')}` : 'up to date');
  } finally {
    await pool.end();
  }
}
