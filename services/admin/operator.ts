/** `npm run operator`: who may enter the console, from a shell. The first admin is made by it. */
import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { answerTo } from '@reelbook/contract/errors';
import { openPool } from '@reelbook/event-store/db';
import { type CommandExecutor, startExecutor } from '@reelbook/event-store/execute';
import { operatorsDecider } from '@reelbook/ledger/operators/decide';
import type { RoleCommand } from '@reelbook/ledger/operators/role-changes';
import { isRole, ROLES } from '@reelbook/ledger/operators/roles';
import { OPERATORS_STREAM } from '@reelbook/ledger/streams';
import { complain, EXIT, type Exit, refusalOf, runCommand, say } from '@reelbook/runtime/command';
import { findDatabaseUrl } from '@reelbook/runtime/data-folder';
import { StartError } from '@reelbook/runtime/lifecycle';
import { readSettings } from '@reelbook/runtime/settings';
import { openOperatorSessions } from './sessions.ts';

const HELP = `npm run operator -- list
npm run operator -- add <wallet> --role ${ROLES.join('|')} --reason "..."
npm run operator -- role <wallet> --role ... --reason "..."
npm run operator -- revoke <wallet> --reason "..."

Shows which wallets enter the operators' console, and as what; each may all that those before it may. Every change is an
event with its reason, and holds from the next call on. A revoked operator's sessions end at once.

The first two admins, and whom it adds before them, are operators at once. From then on a role that is given or raised is
proposed: two admins confirm it in the console, after a wait (10 seconds for play money, 24 hours for real money). When a
single admin is left, this one alone confirms what was proposed here. Lower roles and revocations are at once.

Finds the standalone by its DATA_DIR (.reelbook), or any other Postgres by DATABASE_URL.
Exit code 0: done or proposed. 1: refused; nothing was changed. 2: it could not be done, and says why.`;

const by = 'system:operator-command';

async function main(): Promise<Exit> {
  const { values, positionals } = parseArgs({
    options: {
      role: { type: 'string', default: '' },
      reason: { type: 'string', default: '' },
      help: { type: 'boolean', short: 'h', default: false },
    },
    allowPositionals: true,
  });
  if (values.help) return say(HELP);
  const asked = readCommand(positionals, values);
  if (asked === null) return complain(HELP);
  const settings = readSettings();
  const url = findDatabaseUrl(settings);
  if (!url) throw new StartError(`No book: DATABASE_URL is not set, ${settings.dataDir} is empty.`);
  const pool = openPool({ url, role: 'app', max: 2, name: 'operator' });
  const executor = startExecutor({ pool });
  try {
    if (asked === 'list') return await list(executor);
    const code = await change(executor, asked);
    if (code === 0 && asked.type === 'RevokeOperator') {
      // No key is needed to end sessions.
      await openOperatorSessions({ pool, key: Buffer.alloc(32) }).revokeAll(asked.operator);
    }
    return code;
  } finally {
    await executor.close();
    await pool.end();
  }
}

/** Null: not understood. */
function readCommand(
  [verb, operator, ...more]: readonly string[],
  { role, reason }: { readonly role: string; readonly reason: string },
): RoleCommand | 'list' | null {
  if (verb === 'list' && operator === undefined) return 'list';
  if (operator === undefined || more.length > 0) return null;
  if (verb === 'revoke') return { type: 'RevokeOperator', operator, reason, by };
  if (!isRole(role)) return null;
  if (verb === 'add') return { type: 'AddOperator', operator, role, reason, by };
  return verb === 'role' ? { type: 'ChangeOperatorRole', operator, role, reason, by } : null;
}

async function list(executor: CommandExecutor): Promise<Exit> {
  const { state } = await executor.currentState(operatorsDecider, OPERATORS_STREAM);
  const rows = Object.entries(state.operators);
  if (rows.length === 0) return say('no operators yet: add the first admin');
  return say(rows.map(([wallet, role]) => `${wallet}  ${role ?? 'revoked'}`).join('\n'));
}

async function change(executor: CommandExecutor, command: RoleCommand): Promise<Exit> {
  const executed = await executor.execute({
    decider: operatorsDecider,
    stream: OPERATORS_STREAM,
    idempotencyKey: `command:system:operator-command:${randomUUID()}`,
    request: command,
    meta: { correlation: 'npm-run-operator', actor: by },
    prepare: async () => ({ command, configVersion: null }),
  });
  if (executed.kind === 'refused') {
    return complain(`refused: ${answerTo(executed.rejection).body.message}`, EXIT.no);
  }
  if (executed.kind !== 'done') return complain('the change was not written', EXIT.no);
  const { state, position, events, version } = executed;
  if (events[0]?.event.type === 'RoleProposed') {
    const text = `PROPOSED as number ${version}, #${position} in the ledger; not in force: admins confirm it in the console`;
    return say(`${command.operator}\n${text}`);
  }
  const role = state?.operators[command.operator] ?? 'revoked';
  return say(`${command.operator}  ${role}\n#${position} in the book`);
}

await runCommand(main, refusalOf);
