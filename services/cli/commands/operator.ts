/** `npm run reelbook -- operator`: who may enter the console, from a shell. The first admin is made by it. */
import { randomUUID } from 'node:crypto';
import { openOperatorSessions } from '@reelbook/admin/sessions';
import { answerTo } from '@reelbook/contract/errors';
import { openPool } from '@reelbook/event-store/db';
import { type CommandExecutor, startExecutor } from '@reelbook/event-store/execute';
import { operatorsDecider } from '@reelbook/ledger/operators/decide';
import type { RoleCommand } from '@reelbook/ledger/operators/role-changes';
import { isRole, ROLES } from '@reelbook/ledger/operators/roles';
import { OPERATORS_STREAM } from '@reelbook/ledger/streams';
import { complain, EXIT, type Exit, say } from '@reelbook/runtime/command';
import { defineCommand, textOr, UsageError } from '@reelbook/runtime/command-line';
import { readSettings } from '@reelbook/runtime/settings';
import { ledgerUrlOf } from '../ledger-url.ts';

const by = 'system:operator-command';

export const command = defineCommand({
  usage: {
    list: 'wallets that may enter the console, and as what',
    [`add WALLET --role ${ROLES.join('|')} --reason "..."`]:
      'each role may all that those before it may',
    'role WALLET --role ROLE --reason "..."': 'another role',
    'revoke WALLET --reason "..."': "none; the operator's sessions end at once",
  },
  about: `Every change is an event with its reason, and holds from the next call on.

The first two admins, and whom it adds before them, are operators at once. From then on a role that is given or raised is
proposed: two admins confirm it in the console, after a wait (10 seconds for play money, 24 hours for real money). When a
single admin is left, this one alone confirms what was proposed here. Lower roles and revocations are at once.`,
  options: {
    role: textOr('', 'ROLE', ROLES.join(', ')),
    reason: textOr('', '"..."', 'why; it is in the ledger'),
  },
  takesArguments: true,
  async run(values, words) {
    const asked = readCommand(words, values);
    const url = ledgerUrlOf(readSettings());
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
  },
});

function readCommand(
  [verb, operator, ...more]: readonly string[],
  { role, reason }: { readonly role: string; readonly reason: string },
): RoleCommand | 'list' {
  if (verb === 'list' && operator === undefined) return 'list';
  if (operator === undefined || more.length > 0)
    throw new UsageError('Which act, on which wallet?');
  if (verb === 'revoke') return { type: 'RevokeOperator', operator, reason, by };
  if (!isRole(role)) throw new UsageError(`--role is ${ROLES.join(' or ')}`);
  if (verb === 'add') return { type: 'AddOperator', operator, role, reason, by };
  if (verb === 'role') return { type: 'ChangeOperatorRole', operator, role, reason, by };
  throw new UsageError(`There is no ${verb}.`);
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
  return say(`${command.operator}  ${role}\n#${position} in the ledger`);
}
