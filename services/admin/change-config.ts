import type { CommandExecutor } from '@reelbook/event-store/execute';
import type { Game } from '@reelbook/games/game';
import { Bug } from '@reelbook/ledger/assert';
import { encode } from '@reelbook/ledger/codec';
import { configDecider } from '@reelbook/ledger/config/decide';
import {
  type Change,
  type ChangedValue,
  changedValues,
  editAll,
} from '@reelbook/ledger/config/edit';
import { operatorsDecider } from '@reelbook/ledger/operators/decide';
import { type Rejection, reject, rejectConfig } from '@reelbook/ledger/rejections';
import { CONFIG_STREAM, OPERATORS_STREAM } from '@reelbook/ledger/streams';

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
  /** Games of this build. */
  readonly games: readonly Game[];
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
  executor: CommandExecutor,
  edit: ConfigEdit,
): Promise<ChangedConfig | Rejection | 'key-reused'> {
  const executed = await executor.execute({
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
      const operators = await executor.currentState(operatorsDecider, OPERATORS_STREAM);
      const command = {
        type: 'ChangeConfig' as const,
        config,
        reason: edit.reason,
        knownRules: rulesOf(edit.games),
        by: edit.actor,
        adminsEver: operators.state.adminsEver,
      };
      return { command, configVersion: null };
    },
  });
  if (executed.kind === 'refused') return executed.rejection;
  if (executed.kind === 'key-reused') return 'key-reused';
  const [first] = executed.events;
  const { version, position } = executed;
  switch (first?.event.type) {
    case 'ConfigChanged': {
      const { before, after } = first.event.data;
      return { changes: changedValues(before, after), version, position, proposal: null };
    }
    case 'ConfigChangeProposed':
      return { changes: first.event.data.changes, version, position, proposal: version };
    default:
      throw new Bug('a change of the configuration was appended, but is not in its events');
  }
}

/** Versions of the rules in this build, by game. */
export const rulesOf = (games: readonly Game[]) =>
  Object.fromEntries(games.map(({ id, rulesIds }) => [id, rulesIds]));
