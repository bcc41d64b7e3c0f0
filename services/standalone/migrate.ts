/** `npm run migrate`: brings the book of DATABASE_URL up to date, as a login that may create tables and roles. */
import { openPool } from '@reelbook/event-store/db';
import { migrate } from '@reelbook/event-store/migrate';
import { explain } from '@reelbook/runtime/lifecycle';
import { readSettings } from '@reelbook/runtime/settings';

async function main(): Promise<void> {
  const settings = readSettings(['databaseUrl']);
  const pool = openPool({ url: settings.databaseUrl, role: 'owner', max: 1, name: 'migrate' });
  try {
    const applied = await migrate(pool);
    process.stdout.write(applied.length > 0 ? `applied ${applied.join(', ')}\n` : 'up to date\n');
  } finally {
    await pool.end();
  }
}

main().catch((error: unknown) => {
  explain(error);
  process.exitCode = 1;
});
