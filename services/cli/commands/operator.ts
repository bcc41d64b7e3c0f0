/** `npm run reelbook -- operator`: manages the operators of the console; adds the first admin. */
import { randomUUID } from 'node:crypto';
import { createLinks, linkUrl } from '@reelbook/admin/links';
import { answerTo } from '@reelbook/contract/errors';
import { openClock } from '@reelbook/event-store/clock';
import type { CommandExecutor } from '@reelbook/event-store/execute';
import { operatorsDecider } from '@reelbook/ledger/operators/decide';
import { nameOf } from '@reelbook/ledger/operators/names';
import type { RoleCommand } from '@reelbook/ledger/operators/role-changes';
import { isRole, ROLES, type Role } from '@reelbook/ledger/operators/roles';
import { OPERATORS_STREAM } from '@reelbook/ledger/streams';
import { changeRole } from '@reelbook/payments/approvals';
import {
  defineCommand,
  EXIT,
  type Exit,
  print,
  printError,
  textOr,
  UsageError,
} from '@reelbook/runtime/command';
import { findConsoleUrl, findSessionKey } from '@reelbook/runtime/data-folder';
import { readSettings, type Settings } from '@reelbook/runtime/settings';
import { type Site, withExecutor } from '../ledger-url.ts';

const by = 'system:operator-command';

export const command = defineCommand({
  usage: {
    list: 'List operators with their roles and names',
    link: 'Print new one-time links to the console; only on the local chain',
    [`add WALLET --role ${ROLES.join('|')} --reason "..."`]:
      'Add an operator; each role includes the ones before it',
    'role WALLET --role ROLE --reason "..."': 'Change the role of an operator',
    'revoke WALLET --reason "..."': "Remove an operator and end the operator's sessions",
  },
  about: `The ledger records every change with its reason. A change applies from the next request on.

The first two admins, and operators added before them, are added immediately. After that, adding an operator or raising a role
is a proposal: two admins approve it in the console after a waiting time (10 seconds for play money, 24 hours for real money).
If only one admin is left, that admin alone approves proposals of this command. Lowering a role and revoking apply immediately.

A link is valid once and for one hour.`,
  options: {
    role: textOr('', 'ROLE', ROLES.join(', ')),
    reason: textOr('', '"..."', 'the reason, recorded in the ledger'),
  },
  takesArguments: true,
  async run(values, words) {
    const wanted = readCommand(words, values);
    const settings = readSettings();
    return withExecutor(settings, 'operator', async (site) => {
      if (wanted === 'list') return list(site.executor);
      if (wanted === 'link') return printLinks(site.executor, settings);
      return change(site, wanted);
    });
  },
});

function readCommand(
  [verb, operator, ...more]: readonly string[],
  { role, reason }: { readonly role: string; readonly reason: string },
): RoleCommand | 'list' | 'link' {
  if ((verb === 'list' || verb === 'link') && operator === undefined) return verb;
  if (operator === undefined || more.length > 0)
    throw new UsageError('An action and a wallet are required.');
  if (verb === 'revoke') return { type: 'RevokeOperator', operator, reason, by };
  if (!isRole(role)) throw new UsageError(`--role must be ${ROLES.join(', ')}`);
  if (verb === 'add') return { type: 'AddOperator', operator, role, reason, by };
  if (verb === 'role') return { type: 'ChangeOperatorRole', operator, role, reason, by };
  throw new UsageError(`Unknown action: ${verb}`);
}

async function list(executor: CommandExecutor): Promise<Exit> {
  const { state } = await executor.currentState(operatorsDecider, OPERATORS_STREAM);
  const rows = Object.entries(state.operators);
  if (rows.length === 0) return print('no operators; add the first admin');
  const line = ([wallet, role]: readonly [string, Role | null]) =>
    [wallet, role ?? 'revoked', nameOf(state, wallet)].filter((part) => part !== null).join('  ');
  return print(rows.map(line).join('\n'));
}

/** Requires the session key of the server, and the ledger. */
async function printLinks(executor: CommandExecutor, settings: Settings): Promise<Exit> {
  const sessionKey = findSessionKey(settings);
  const consoleUrl = findConsoleUrl(settings);
  if (settings.solanaRpcUrl || !sessionKey || !consoleUrl) {
    const why = 'Links are only for a standalone server with the local chain';
    return printError(`${why}. Sign in with a wallet: operator add WALLET`, EXIT.no);
  }
  const links = await createLinks(executor, sessionKey);
  if (links.length === 0) return printError('The operators of this machine are revoked.', EXIT.no);
  return print(links.map((link) => linkUrl(consoleUrl, link)).join('\n'));
}

async function change({ pool, executor }: Site, command: RoleCommand): Promise<Exit> {
  const site = { pool, executor, clock: openClock(pool), knownRules: {} };
  const executed = await changeRole(site, command, {
    idempotencyKey: `command:system:operator-command:${randomUUID()}`,
    request: command,
    correlation: 'npm-run-operator',
  });
  if (executed.kind === 'refused') {
    return printError(`refused: ${answerTo(executed.rejection).body.message}`, EXIT.no);
  }
  if (executed.kind !== 'done') return printError('the change was not recorded', EXIT.no);
  const { state, position, events } = executed;
  const event = events[0]?.event;
  if (event?.type === 'Proposed') {
    const text = `PROPOSED as number ${event.data.number}, #${position} in the ledger; not in force: admins must approve it in the console`;
    return print(`${command.operator}\n${text}`);
  }
  const role = state?.operators[command.operator] ?? 'revoked';
  return print(`${command.operator}  ${role}\n#${position} in the ledger`);
}
