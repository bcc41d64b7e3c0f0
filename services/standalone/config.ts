/** `npm run config`: shows the configuration of a book, or changes one value of it for a reason. */
import { parseArgs } from 'node:util';
import { openPool } from '@reelbook/event-store/db';
import { type CommandExecutor, startExecutor } from '@reelbook/event-store/execute';
import { configDecider } from '@reelbook/ledger/config/decide';
import { listConfig } from '@reelbook/ledger/config/edit';
import { CONFIG_STREAM } from '@reelbook/ledger/streams';
import { complain, EXIT, type Exit, refusalOf, runCommand, say } from '@reelbook/runtime/command';
import { findDatabaseUrl } from '@reelbook/runtime/data-folder';
import { StartError } from '@reelbook/runtime/lifecycle';
import { readSettings } from '@reelbook/runtime/settings';
import { type ConfigEdit, changeConfig } from './change-config.ts';

const HELP = `npm run config -- show [path]
npm run config -- set <path> <value> --reason "..."

Shows the configuration in force, or changes one value of it. Every change is an event with its reason; running
gateways follow at once, without a restart. Amounts are in minor units (points: hundredths, BSM: 10^-9); a rate is a
fraction such as 1/100, or a decimal. For example:

  npm run config -- set games.slot-machine.rules slot-2 --reason "the tighter paytable"
  npm run config -- set exchange.enabled false --reason "closed for the night"

What is tighter, and a switch turned off, is in force at once. Everything else is proposed once two admins have been made:
two admins confirm it in the console, after a wait (10 seconds for play money, 24 hours for real money).

Finds the standalone by its DATA_DIR (.reelbook), or any other Postgres by DATABASE_URL.
Exit code 0: done or proposed. 1: refused; nothing was changed. 2: it could not be done, and says why.`;

async function main(): Promise<Exit> {
  const { values, positionals } = parseArgs({
    options: {
      reason: { type: 'string', default: '' },
      help: { type: 'boolean', short: 'h', default: false },
    },
    allowPositionals: true,
  });
  const [verb, path, value, ...more] = positionals;
  if (values.help) return say(HELP);
  const settings = readSettings();
  const url = findDatabaseUrl(settings);
  if (!url) throw new StartError(`No book: DATABASE_URL is not set, ${settings.dataDir} is empty.`);
  const pool = openPool({ url, role: 'app', max: 2, name: 'config' });
  const executor = startExecutor({ pool });
  try {
    if (verb === 'show' && value === undefined) return await show(executor, path ?? '');
    if (verb === 'set' && path && value !== undefined && more.length === 0) {
      const mayWelcome = settings.solanaRpcUrl === null;
      return await set(executor, { path, value, reason: values.reason, mayWelcome });
    }
    return complain(HELP);
  } finally {
    await executor.close();
    await pool.end();
  }
}

async function show(executor: CommandExecutor, prefix: string): Promise<Exit> {
  const { state } = await executor.currentState(configDecider, CONFIG_STREAM);
  if (!state.config) return complain('nothing is configured yet: start Reelbook once', EXIT.no);
  const rows = listConfig(state.config).filter(
    ({ path }) => prefix === '' || path === prefix || path.startsWith(`${prefix}.`),
  );
  if (rows.length === 0) return complain(`there is no ${prefix}`, EXIT.no);
  const width = Math.max(...rows.map(({ path }) => path.length));
  const lines = rows.map(
    ({ path, text, meaning }) =>
      `  ${path.padEnd(width)}  ${text}${meaning ? `  (${meaning})` : ''}`,
  );
  return say(`configuration ${state.version}\n${lines.join('\n')}`);
}

async function set(executor: CommandExecutor, edit: ConfigEdit): Promise<Exit> {
  const changed = await changeConfig(executor, edit);
  if (typeof changed === 'string') return complain(`refused: ${changed}`, EXIT.no);
  const { changes, version, position, proposal } = changed;
  const values = changes.map(
    ({ path, before, after }) => `${path}\n  before  ${before}\n  after   ${after}\n`,
  );
  const done =
    proposal === null
      ? `configuration ${version}, #${position} in the book`
      : `PROPOSED as number ${proposal}, #${position} in the ledger; not in force: two admins confirm it in the console`;
  return say(values.join('') + done);
}

await runCommand(main, refusalOf);
