import { assert, unreachable } from '../assert.ts';
import type { Decider } from '../decider.ts';
import { mayAct } from '../operators/roles.ts';
import { type OperatorsState, roleOf } from '../operators/state.ts';
import {
  approve,
  type Confirmation,
  type LedgerKind,
  PEOPLE,
  PROPOSALS_MAX,
  type Proposal,
  type ProposalAct,
  WAIT_MS,
  walletOf,
  weigh,
  without,
} from '../proposals.ts';
import { type Rejection, reject, rejectConfig } from '../rejections.ts';
import { isReason, REASON_MAX_LENGTH } from '../text.ts';
import { careOf, leastFor, mayChangeAlone } from './care.ts';
import type { Config } from './config.ts';
import { type ChangedValue, changedValues, editAll, listConfig } from './edit.ts';
import type { ConfigEvent } from './events.ts';
import { findFaults, type KnownRules } from './faults.ts';

export type ConfigCommand = ChangeConfig | ConfirmConfigChange | WithdrawConfigChange;

/** Changes the configuration where one person may, and proposes the change where two are needed. */
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

export interface ConfirmConfigChange extends Confirmation {
  readonly type: 'ConfirmConfigChange';
  readonly knownRules: KnownRules;
  /** The current roles. */
  readonly operators: OperatorsState['operators'];
}

export interface WithdrawConfigChange extends ProposalAct {
  readonly type: 'WithdrawConfigChange';
}

export interface ConfigProposal extends Proposal {
  readonly changes: readonly ChangedValue[];
}

/** `version` counts events, including proposals, and equals the stream's version; 0 is "never configured". */
export interface ConfigState {
  readonly version: number;
  readonly config: Config | null;
  /** Decided by the first configuration, permanently: with welcome points it is play money. */
  readonly kind: LedgerKind | null;
  readonly proposals: readonly ConfigProposal[];
}

export const configDecider: Decider<ConfigState, ConfigCommand, ConfigEvent> = {
  kind: 'config',
  stateSchema: 7,
  initial: { version: 0, config: null, kind: null, proposals: [] },
  decide,
  evolve,
};

function decide(state: ConfigState, command: ConfigCommand): readonly ConfigEvent[] | Rejection {
  assert(state.version >= 0, 'versions count from 0');
  if (command.type === 'ChangeConfig') return change(state, command);
  if (!isReason(command.reason)) return reject('reason-invalid', { max: REASON_MAX_LENGTH });
  const proposal = state.proposals.find(({ number }) => number === command.proposal);
  if (!proposal || !state.config) return reject('no-such-proposal');
  const { proposal: number, by, reason } = command;
  const act = { proposal: number, by, reason };
  if (command.type === 'WithdrawConfigChange')
    return [{ type: 'ConfigChangeWithdrawn', data: act }];
  const applied = applyProposal(state.config, proposal);
  if (applied === null) return reject('proposal-outdated');
  const least = leastFor(proposal.changes.map(({ path }) => path));
  const { kind } = state;
  assert(kind, 'a configured ledger has a kind');
  const weighed = weigh(proposal, {
    ...command,
    mayAct: (actor) => {
      const role = roleOf(command, walletOf(actor));
      return role !== null && mayAct(role, least);
    },
    needed: PEOPLE,
    waitMs: careOf(state.config, applied) === 'wait' ? WAIT_MS[kind] : 0,
  });
  if (weighed === 'approves') return [{ type: 'ConfigChangeApproved', data: act }];
  if (weighed !== 'applies') return weighed;
  const faults = findFaults(state.config, applied, command.knownRules);
  if (faults.length > 0) return rejectConfig(...faults);
  const changed = { before: state.config, after: applied, reason: proposal.reason };
  const confirmed = { number, by: proposal.by, reason };
  return [{ type: 'ConfigChanged', data: { ...changed, proposal: confirmed } }];
}

function change(state: ConfigState, command: ChangeConfig): readonly ConfigEvent[] | Rejection {
  const { config: after, reason, knownRules, by } = command;
  const { config: before } = state;
  const faults = [...findFaults(before, after, knownRules)];
  if (!isReason(reason)) faults.push({ code: 'reason-invalid', facts: { max: REASON_MAX_LENGTH } });
  if (faults.length > 0) return rejectConfig(...faults);
  if (mayChangeAlone(before, after, command)) {
    return [{ type: 'ConfigChanged', data: { before, after, reason } }];
  }
  if (state.proposals.length >= PROPOSALS_MAX) {
    return reject('proposals-too-many', { max: PROPOSALS_MAX });
  }
  return [
    { type: 'ConfigChangeProposed', data: { changes: changedValues(before, after), reason, by } },
  ];
}

/** The configuration with the proposed changes; null if one of the values has changed since. */
export function applyProposal(
  config: Config,
  { changes }: Pick<ConfigProposal, 'changes'>,
): Config | null {
  const texts = new Map(listConfig(config).map(({ path, text }) => [path, text]));
  if (changes.some(({ path, before }) => texts.get(path) !== before)) return null;
  const edited = editAll(
    config,
    changes.map(({ path, after }) => ({ path, value: after })),
  );
  return 'config' in edited ? edited.config : null;
}

function evolve(state: ConfigState, { type, data }: ConfigEvent): ConfigState {
  const version = state.version + 1;
  const { proposals } = state;
  switch (type) {
    case 'ConfigChanged': {
      const { before, after, proposal } = data;
      const first: LedgerKind = after.welcomePointsMinor > 0n ? 'play' : 'real';
      return {
        version,
        config: after,
        kind: before === null ? first : state.kind,
        proposals: without(proposals, proposal?.number),
      };
    }
    case 'ConfigChangeProposed':
      return {
        ...state,
        version,
        proposals: [...proposals, { number: version, approvals: [], ...data }],
      };
    case 'ConfigChangeApproved':
      return { ...state, version, proposals: approve(proposals, data) };
    case 'ConfigChangeWithdrawn':
      return { ...state, version, proposals: without(proposals, data.proposal) };
    default:
      return unreachable(type);
  }
}
