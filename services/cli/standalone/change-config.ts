import { randomUUID } from 'node:crypto';
import { type ChangedConfig, changeConfig as change } from '@reelbook/admin/change-config';
import { answerTo } from '@reelbook/contract/errors';
import type { CommandExecutor } from '@reelbook/event-store/execute';
import { games } from '@reelbook/games/rules';

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
  executor: CommandExecutor,
  edit: ConfigEdit,
): Promise<ChangedConfig | string> {
  const { path, value, reason, mayWelcome } = edit;
  const changed = await change(executor, {
    ...{ changes: [{ path, value }], reason, mayWelcome, games, version: null },
    idempotencyKey: `config:${randomUUID()}`,
    request: edit,
    correlation: 'npm-run-config',
    actor: 'system:config-command',
  });
  if (changed === 'key-reused') return 'the change was not written';
  return 'rejected' in changed ? answerTo(changed).body.message : changed;
}
