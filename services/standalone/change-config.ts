import { randomUUID } from 'node:crypto';
import type { Spine } from '@reelbook/event-store/execute';
import { games } from '@reelbook/games/rules';
import { encode } from '@reelbook/ledger/codec';
import type { Config } from '@reelbook/ledger/config/config';
import { configDecider } from '@reelbook/ledger/config/decide';
import { reject } from '@reelbook/ledger/rejections';
import { CONFIG_STREAM } from '@reelbook/ledger/streams';
import { editConfig } from './config-edit.ts';

export interface ConfigEdit {
  readonly path: string;
  readonly value: string;
  readonly reason: string;
  /** False with a real chain: points that cost nothing could be exchanged and withdrawn there. */
  readonly mayWelcome: boolean;
}

/**
 * Changes one value of the configuration, through the spine like every other write. Gateways that have not heard of
 * it have their next append refused, and reload.
 * @returns the configuration before and after and where the change stands, or the fault in plain words.
 */
export async function changeConfig(
  spine: Spine,
  edit: ConfigEdit,
): Promise<{ before: Config; after: Config; version: number; position: number } | string> {
  const executed = await spine.execute({
    decider: configDecider,
    stream: CONFIG_STREAM,
    claim: `config:${randomUUID()}`,
    request: { ...edit },
    meta: { correlation: 'npm-run-config', actor: 'system:config-command' },
    async prepare({ config: before }) {
      if (!before) return refuse('nothing is configured yet: start Reelbook once');
      const after = editConfig(before, edit.path, edit.value);
      if (typeof after === 'string') return refuse(after);
      if (encode(after) === encode(before)) return refuse(`${edit.path} is ${edit.value} already`);
      if (after.welcomePointsMinor > 0n && !edit.mayWelcome) {
        return refuse('welcome points are for the local chain only');
      }
      const knownRules = Object.fromEntries(games.map(({ id, rulesIds }) => [id, rulesIds]));
      const { reason } = edit;
      const command = { type: 'ChangeConfig' as const, config: after, reason, knownRules };
      return { command, configVersion: null };
    },
  });
  if (executed.kind === 'refused') return String(executed.rejection.detail.fault);
  const changed = executed.kind === 'done' ? executed.events[0]?.event.data : undefined;
  if (executed.kind !== 'done' || !changed?.before) return 'the change was not written';
  const { before, after } = changed;
  return { before, after, version: executed.version, position: executed.position };
}

const refuse = (fault: string) => reject('config-invalid', { fault });
