import type { Game } from '@reelbook/games/game';
import { assert } from '@reelbook/ledger/assert';
import { encode } from '@reelbook/ledger/codec';
import { configDecider } from '@reelbook/ledger/config/decide';
import {
  type Change,
  type ChangedValue,
  changedValues,
  editAll,
} from '@reelbook/ledger/config/edit';
import type { ConfigChanged } from '@reelbook/ledger/config/events';
import { operatorsDecider } from '@reelbook/ledger/operators/decide';
import type { Proposed } from '@reelbook/ledger/operators/proposals';
import { type Rejection, reject, rejectConfig } from '@reelbook/ledger/rejections';
import { CONFIG_STREAM, OPERATORS_STREAM } from '@reelbook/ledger/streams';
import { type ApprovalSite, needsTwo, propose } from '@reelbook/payments/approvals';

export interface ConfigEdit {
  readonly changes: readonly Change[];
  readonly reason: string;
  readonly actor: string;
  readonly correlation: string;
  readonly idempotencyKey: string;
  /** The request as JSON: a different one with the same idempotency key is refused. */
  readonly request: unknown;
  /** The version that the changes are based on; null: the current one. */
  readonly version: number | null;
  /** False with a real chain, where free points could be exchanged and withdrawn. */
  readonly mayWelcome: boolean;
}

export interface ChangedConfig {
  readonly changes: readonly ChangedValue[];
  readonly version: number;
  readonly position: number;
  /** Number of the proposal if a second person must confirm; null if in force. */
  readonly proposal: number | null;
}

/**
 * Changes values of the configuration, or proposes the change. The next append of a gateway with the old version is
 * refused, and the gateway reloads.
 */
export async function changeConfig(
  site: ApprovalSite,
  edit: ConfigEdit,
): Promise<ChangedConfig | Rejection | 'key-reused'> {
  let wanted: readonly ChangedValue[] = [];
  const { executor, knownRules } = site;
  const alone = await executor.execute({
    decider: configDecider,
    stream: CONFIG_STREAM,
    idempotencyKey: edit.idempotencyKey,
    request: edit.request,
    meta: { correlation: edit.correlation, actor: edit.actor },
    async prepare({ config: before, version }) {
      if (!before) return rejectConfig({ code: 'not-configured', facts: {} });
      if (edit.version !== null && edit.version !== version)
        return reject('config-moved', { version });
      const edited = editAll(before, edit.changes);
      if ('faults' in edited) return rejectConfig(...edited.faults);
      const { config } = edited;
      if (encode(config) === encode(before)) {
        const [only, ...more] = edit.changes;
        return rejectConfig(
          only && more.length === 0
            ? { code: 'already-set', facts: { path: only.path, value: only.value } }
            : { code: 'nothing-changed', facts: {} },
        );
      }
      if (config.welcomePointsMinor > 0n && !edit.mayWelcome) {
        return rejectConfig({ code: 'welcome-points-local-only', facts: {} });
      }
      wanted = changedValues(before, config);
      const operators = await executor.currentState(operatorsDecider, OPERATORS_STREAM);
      const command = {
        type: 'ChangeConfig' as const,
        config,
        reason: edit.reason,
        knownRules,
        by: edit.actor,
        adminsEver: operators.state.adminsEver,
      };
      return { command, configVersion: null, operatorsVersion: operators.version };
    },
  });
  const executed = needsTwo(alone) ? await proposeChanges(site, edit, wanted) : alone;
  if (executed.kind === 'refused') return executed.rejection;
  if (executed.kind === 'key-reused') return 'key-reused';
  const { version, position } = executed;
  const event = executed.events[0]?.event as ConfigChanged | Proposed | undefined;
  if (event?.type === 'ConfigChanged') {
    const { before, after } = event.data;
    return { changes: changedValues(before, after), version, position, proposal: null };
  }
  assert(event?.type === 'Proposed' && event.data.kind === 'configuration', 'changed or proposed');
  return { changes: event.data.command.changes, version, position, proposal: event.data.number };
}

function proposeChanges(
  site: ApprovalSite,
  { actor: by, ...edit }: ConfigEdit,
  changes: readonly ChangedValue[],
) {
  const proposed = { kind: 'configuration', target: CONFIG_STREAM, command: { changes } } as const;
  return propose(site, proposed, { ...edit, by });
}

/** Versions of the rules in this build, by game. */
export const rulesOf = (games: readonly Game[]) =>
  Object.fromEntries(games.map(({ id, rulesIds }) => [id, rulesIds]));
