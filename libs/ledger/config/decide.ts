import { assert } from '../assert.ts';
import { canonical } from '../codec.ts';
import type { Decider } from '../decider.ts';
import { type Agreed, type LedgerKind, type ProposedCommands, WAIT_MS } from '../proposals.ts';
import { type Rejection, reject, rejectConfig } from '../rejections.ts';
import { isReason, REASON_MAX_LENGTH } from '../text.ts';
import { type AgreedValues, agreedAfter, careOf, mayChangeAlone } from './care.ts';
import type { Config } from './config.ts';
import { changedValues, complete, editAll, listConfig } from './edit.ts';
import type { ConfigEvent } from './events.ts';
import { findFaults, type KnownRules } from './faults.ts';

export type ConfigCommand = ChangeConfig | ExecuteChanges;

/** Changes the configuration where one person may; `needs-two-people` where not. */
export interface ChangeConfig {
  readonly type: 'ChangeConfig';
  readonly config: Config;
  readonly reason: string;
  readonly knownRules: KnownRules;
  /** The actor. */
  readonly by: string;
  /** Of the operators' state: the shell acts alone until two admins have been added. */
  readonly adminsEver: number;
}

/** Puts approved values into force. */
export interface ExecuteChanges extends Pick<ProposedCommands['configuration'], 'changes'> {
  readonly type: 'ExecuteChanges';
  /** That was waited. */
  readonly waitMs: number;
  readonly reason: string;
  readonly knownRules: KnownRules;
  readonly proposal: Agreed;
}

/** 0 is "never configured". */
export interface ConfigState {
  /** The stream's version. */
  readonly version: number;
  readonly config: Config | null;
  /** Decided by the first configuration, permanently: with welcome points it is play money. */
  readonly kind: LedgerKind | null;
  readonly agreed: AgreedValues;
}

export const configDecider: Decider<ConfigState, ConfigCommand, ConfigEvent> = {
  kind: 'config',
  stateSchema: 8,
  initial: { version: 0, config: null, kind: null, agreed: [] },
  decide,
  evolve,
};

function decide(state: ConfigState, command: ConfigCommand): readonly ConfigEvent[] | Rejection {
  assert(state.version >= 0, 'versions count from 0');
  return command.type === 'ChangeConfig' ? change(state, command) : execute(state, command);
}

function change(
  { config: before, kind }: ConfigState,
  command: ChangeConfig,
): readonly ConfigEvent[] | Rejection {
  const { config: after, reason, knownRules } = command;
  const faults = [...findFaults(before, after, knownRules, kind)];
  if (!isReason(reason)) faults.push({ code: 'reason-invalid', facts: { max: REASON_MAX_LENGTH } });
  if (faults.length > 0) return rejectConfig(...faults);
  return mayChangeAlone(before, after, command)
    ? [{ type: 'ConfigChanged', data: { before, after, reason } }]
    : reject('needs-two-people');
}

function execute(
  { config: before, kind, agreed }: ConfigState,
  { changes, waitMs, reason, knownRules, proposal }: ExecuteChanges,
): readonly ConfigEvent[] | Rejection {
  const after = before && applyChanges(before, changes);
  if (!before || !kind || !after) return reject('proposal-outdated');
  // What two people restore may have to be waited for by now.
  const waits = careOf(before, after, agreed) === 'wait';
  if (waits && waitMs < WAIT_MS[kind]) return reject('proposal-outdated');
  const faults = findFaults(before, after, knownRules, kind);
  if (faults.length > 0) return rejectConfig(...faults);
  return [{ type: 'ConfigChanged', data: { before, after, reason, proposal } }];
}

/** The configuration with the proposed changes; null if one of the values has changed since. */
export function applyChanges(
  config: Config,
  changes: ProposedCommands['configuration']['changes'],
): Config | null {
  const texts = new Map(listConfig(config).map(({ path, text }) => [path, text]));
  if (changes.some(({ path, before }) => texts.get(path) !== before)) return null;
  const edited = editAll(
    config,
    changes.map(({ path, after }) => ({ path, value: after })),
  );
  return 'config' in edited ? edited.config : null;
}

/**
 * Whether a configuration is another one with values changed: none is removed or of another type. Games that are added may have any
 * values.
 */
export function isEditOf(before: Config, after: Config): boolean {
  const known = { ...before, games: { ...after.games, ...before.games } };
  const changes = changedValues(known, after).map((one) => ({ path: one.path, value: one.after }));
  const edited = editAll(known, changes);
  return 'config' in edited && canonical(complete(edited.config)) === canonical(complete(after));
}

function evolve(state: ConfigState, { data }: ConfigEvent): ConfigState {
  const { before, after, proposal } = data;
  const version = state.version + 1;
  const first: LedgerKind = after.welcomePointsMinor > 0n ? 'play' : 'real';
  if (before === null) return { version, config: after, kind: first, agreed: [] };
  const agreed = agreedAfter(state.agreed, { before, after, isAlone: proposal === undefined });
  return { version, config: after, kind: state.kind, agreed };
}
