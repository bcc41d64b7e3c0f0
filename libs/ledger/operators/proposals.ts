import { ACTION_WITH_REASON, type DescriptorsOf, movesNothing, term } from '../descriptor.ts';
import { type ProposalCare, type ProposedCommand, proposalRole } from '../proposals.ts';
import type { Rejection, RejectionCode } from '../rejections.ts';
import { isShell } from './roles.ts';

/**
 * The one way to approve, in the stream of the operators:
 *
 *   open --Approved (last)--> approved --Executed--> ended
 *     '--Withdrawn--> ended       '------Refused--> ended
 *
 * The effect is in its own stream, between the last approval and `Executed`, with the key `proposal:<number>` or of a resolution.
 */
export type ProposalEvent = Proposed | Approved | Withdrawn | Executed | Refused;

export interface Proposed {
  readonly type: 'Proposed';
  readonly data: ProposedCommand & {
    /** The version of this event in its stream. */
    readonly number: number;
    readonly schema: number;
    /** Of the event that it would have caused when it was proposed: what is approved. */
    readonly fingerprint: string;
    readonly care: ProposalCare;
    /** Before the last approval. */
    readonly waitMs: number;
    readonly by: string;
    readonly reason: string;
    readonly atMs: number;
  };
}

export interface ProposalAct {
  readonly proposal: number;
  readonly by: string;
  readonly reason: string;
}

export interface Approved {
  readonly type: 'Approved';
  /** The last one is final: from then on it can only be executed or refused. */
  readonly data: ProposalAct & { readonly isLast: boolean };
}

export interface Withdrawn {
  readonly type: 'Withdrawn';
  readonly data: ProposalAct;
}

export interface Executed {
  readonly type: 'Executed';
  /** `position` is that of the effect; missing for an effect in the operators' stream, which is in the same command. */
  readonly data: { readonly proposal: number; readonly position?: number };
}

/** It was approved, and nothing happened: the effect is refused, or would be another one than was approved. */
export interface Refused {
  readonly type: 'Refused';
  readonly data: {
    readonly proposal: number;
    readonly rejected: RejectionCode;
    readonly detail: Rejection['detail'];
  };
}

export type OpenProposal = Proposed['data'] & {
  readonly approvals: readonly { readonly by: string; readonly reason: string }[];
  /** Whether it has all approvals. */
  readonly isApproved: boolean;
};

const ofAct = ({ proposal, reason }: ProposalAct) => ({ proposal, reason });

export const PROPOSAL_EVENTS: DescriptorsOf<ProposalEvent> = {
  Proposed: movesNothing(
    4,
    {
      role: proposalRole,
      act: { reason: ({ reason }) => reason, isOperators: isPerson },
    },
    [
      '{what} proposed as number {number}: {reason}',
      ({ kind, command, number, reason }) => ({
        what: kind === 'configuration' ? { changes: command.changes } : term(kind),
        number,
        reason,
      }),
    ],
  ),
  Approved: movesNothing(5, ACTION_WITH_REASON, ['proposal {proposal} approved: {reason}', ofAct]),
  Withdrawn: movesNothing(6, ACTION_WITH_REASON, [
    'proposal {proposal} withdrawn: {reason}',
    ofAct,
  ]),
  Executed: movesNothing(19, null, [
    'proposal {proposal} executed',
    ({ proposal }) => ({ proposal }),
  ]),
  Refused: movesNothing(20, null, [
    'proposal {proposal} approved, but refused: {why}',
    ({ proposal, rejected }) => ({ proposal, why: rejected }),
  ]),
};

function isPerson(_: Proposed['data'], actor: string): boolean {
  return !isShell(actor);
}
