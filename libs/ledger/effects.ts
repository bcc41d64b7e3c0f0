import { assert, Bug } from './assert.ts';
import type { AdjustConfig } from './config/config.ts';
import type { ConfigCommand } from './config/decide.ts';
import type { KnownRules } from './config/faults.ts';
import type { Decider, LedgerEvent } from './decider.ts';
import { deciders } from './deciders.ts';
import type { AnyEvent } from './events.ts';
import { fingerprintOf, isAsApproved } from './fingerprint.ts';
import { approvedProposal } from './operators/approval.ts';
import { effectHere, isHere, type ProposedHere } from './operators/decide.ts';
import type { OperatorsState } from './operators/state.ts';
import type { PlayerCommand } from './player/commands.ts';
import type { PlayTerms } from './player/protection-state.ts';
import type { Agreed, ProposedCommand } from './proposals.ts';
import { isRejection, type Rejection, reject } from './rejections.ts';
import { parseStream } from './streams.ts';
import type { TreasuryCommand } from './treasury/decide.ts';

/** What an effect depends on besides the states of the two streams. */
export interface EffectTerms {
  readonly adjust: AdjustConfig;
  readonly play: PlayTerms;
  readonly nowMs: number;
  readonly knownRules: KnownRules;
}

/** The proposal is taken from the state of the operators' stream, at the version that the append is conditional on. */
export interface ExecuteProposal {
  readonly type: 'ExecuteProposal';
  readonly number: number;
  readonly operators: OperatorsState;
  readonly terms: EffectTerms;
}

type AnyDecider = Decider<unknown, unknown, AnyEvent & LedgerEvent>;

const deciderOf = (target: string) => deciders[parseStream(target).kind] as AnyDecider;

/** The decider of the effect of a proposal, in the stream of its target. */
export function effectDecider(
  target: string,
): Decider<unknown, ExecuteProposal, AnyEvent & LedgerEvent> {
  return {
    ...deciderOf(target),
    decide(state, { number, operators, terms }) {
      const approved = approvedProposal(operators, number);
      if (isRejection(approved)) return approved;
      const { proposal, agreed } = approved;
      if (proposal.target !== target)
        throw new Bug(`proposal ${number} is about ${proposal.target}`);
      const events = decide(state, proposal, { ...proposal, proposal: agreed, terms });
      if (isRejection(events)) return events;
      return isAsApproved(proposal, events) ? events : reject('proposal-outdated');
    },
  };
}

/** What a proposal would cause now, as it is approved: the events and their fingerprint. One that is not open waits as long as it must. */
export function effectOf(
  state: unknown,
  proposed: ProposedCommand & Pick<Approval, 'by' | 'reason'> & { readonly waitMs?: number },
  terms: EffectTerms | null,
  proposal: Agreed = { number: 0, by: proposed.by, approvals: [] },
): { readonly events: readonly AnyEvent[]; readonly fingerprint: string } | Rejection {
  const { by, reason, target, waitMs = Number.POSITIVE_INFINITY } = proposed;
  const events = decide(state, proposed, { by, reason, waitMs, proposal, terms });
  return isRejection(events) ? events : { events, fingerprint: fingerprintOf(target, events) };
}

interface Approval {
  readonly by: string;
  readonly reason: string;
  readonly waitMs: number;
  readonly proposal: Agreed;
  /** Null without a configuration, which an effect in the operators' stream does not need. */
  readonly terms: EffectTerms | null;
}

function decide(
  state: unknown,
  proposed: ProposedCommand,
  approval: Approval,
): readonly (AnyEvent & LedgerEvent)[] | Rejection {
  if (!isHere(proposed)) {
    return deciderOf(proposed.target).decide(state, commandOf(proposed, approval));
  }
  const { reason, proposal } = approval;
  const effect = effectHere(state as OperatorsState, { ...proposed, reason }, proposal);
  return isRejection(effect) ? effect : [effect];
}

function commandOf(
  { kind, command }: Exclude<ProposedCommand, ProposedHere>,
  { by, reason, waitMs, proposal, terms: effectTerms }: Approval,
): ConfigCommand | PlayerCommand | TreasuryCommand {
  assert(effectTerms, 'the ledger is configured');
  const { adjust: terms, play, nowMs, knownRules } = effectTerms;
  const people = { by, reason, proposal };
  switch (kind) {
    case 'configuration':
      return { type: 'ExecuteChanges', ...command, waitMs, reason, knownRules, proposal };
    case 'adjustment':
      return { type: 'AdjustBalance', ...command, ...people, terms, nowMs };
    case 'void':
      return { type: 'VoidRound', ...command, ...people, terms, isAllowed: true, nowMs, play };
    case 'unmatched': {
      const { singleOperatorMaxTokenMinor } = terms;
      return {
        type: 'ResolveUnmatchedDeposit',
        ...command,
        ...people,
        singleOperatorMaxTokenMinor,
      };
    }
    case 'reinstatement':
      return { type: 'ReinstatePlayer', ...people };
  }
}
