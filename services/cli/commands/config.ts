import { randomUUID } from 'node:crypto';
import { type ChangedConfig, changeConfig as change, rulesOf } from '@reelbook/admin/change-config';
import { answerTo } from '@reelbook/contract/errors';
import { openClock } from '@reelbook/event-store/clock';
import type { CommandExecutor } from '@reelbook/event-store/execute';
import { games } from '@reelbook/games/rules';
import { configDecider } from '@reelbook/ledger/config/decide';
import { listConfig } from '@reelbook/ledger/config/edit';
import { CONFIG_STREAM } from '@reelbook/ledger/streams';
import {
  defineCommand,
  EXIT,
  type Exit,
  print,
  printError,
  textOr,
  UsageError,
} from '@reelbook/runtime/command';
import { readSettings } from '@reelbook/runtime/settings';
import { type Site, withExecutor } from '../ledger-url.ts';

export interface ConfigEdit {
  readonly path: string;
  readonly value: string;
  readonly reason: string;
  /** False with a real chain. */
  readonly mayWelcome: boolean;
}

/**
 * Changes one value of the configuration, or proposes it, as the console does.
 * @returns what is changed and its event, or the refusal's message.
 */
export async function changeConfig(
  { pool, executor }: Site,
  edit: ConfigEdit,
): Promise<ChangedConfig | string> {
  const { path, value, reason, mayWelcome } = edit;
  const site = { pool, executor, clock: openClock(pool), knownRules: rulesOf(games) };
  const changed = await change(site, {
    changes: [{ path, value }],
    reason,
    mayWelcome,
    version: null,
    idempotencyKey: `config:${randomUUID()}`,
    request: edit,
    correlation: 'npm-run-config',
    actor: 'system:config-command',
  });
  if (changed === 'key-reused') return 'the change was not written';
  return 'rejected' in changed ? answerTo(changed).body.message : changed;
}

/** `npm run reelbook -- config`: shows the configuration, or changes one value and records the reason. */

export const command = defineCommand({
  usage: {
    'show [PATH]': 'Show the current configuration',
    'set PATH VALUE --reason "..."': 'Change one value',
  },
  about: `The ledger records every change with its reason; running gateways apply it without a restart. Amounts are in minor units
(points: hundredths, BSM: 10^-9); a rate is a fraction such as 1/100, or a decimal. Examples:

  config set games.slot-machine.rules slot-2 --reason "the tighter paytable"
  config set exchange.enabled false --reason "closed for the night"

A stricter value and a switch that is turned off apply immediately. With two admins every other change is a proposal: two
admins confirm it in the console after a waiting time (10 seconds for play money, 24 hours for real money).`,
  options: { reason: textOr('', '"..."', 'the reason, recorded in the ledger') },
  takesArguments: true,
  async run({ reason }, [verb, path, value, ...more]) {
    const isShow = verb === 'show' && value === undefined;
    const isSet = verb === 'set' && path !== undefined && value !== undefined && more.length === 0;
    if (!isShow && !isSet) throw new UsageError('Use show or set.');
    const settings = readSettings();
    return withExecutor(settings, 'config', async (site) => {
      if (!isSet) return show(site.executor, path ?? '');
      const mayWelcome = settings.solanaRpcUrl === null;
      return set(site, { path, value, reason, mayWelcome });
    });
  },
});

async function show(executor: CommandExecutor, prefix: string): Promise<Exit> {
  const { state } = await executor.currentState(configDecider, CONFIG_STREAM);
  if (!state.config) return printError('there is no configuration: start Reelbook once', EXIT.no);
  const rows = listConfig(state.config).filter(
    ({ path }) => prefix === '' || path === prefix || path.startsWith(`${prefix}.`),
  );
  if (rows.length === 0) return printError(`unknown path: ${prefix}`, EXIT.no);
  const width = Math.max(...rows.map(({ path }) => path.length));
  const lines = rows.map(
    ({ path, text, meaning }) =>
      `  ${path.padEnd(width)}  ${text}${meaning ? `  (${meaning})` : ''}`,
  );
  return print(`configuration ${state.version}\n${lines.join('\n')}`);
}

async function set(site: Site, edit: ConfigEdit): Promise<Exit> {
  const changed = await changeConfig(site, edit);
  if (typeof changed === 'string') return printError(changed, EXIT.no);
  const { changes, version, position, proposal } = changed;
  const values = changes.map(
    ({ path, before, after }) => `${path}\n  before  ${before}\n  after   ${after}\n`,
  );
  const done =
    proposal === null
      ? `configuration ${version}, #${position} in the ledger`
      : `PROPOSED as number ${proposal}, #${position} in the ledger; not in force: two admins must approve it in the console`;
  return print(values.join('') + done);
}
