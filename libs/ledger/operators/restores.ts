import { assert } from '../assert.ts';
import type { DescriptorsOf } from '../descriptor.ts';
import {
  ADMINS_BY_SHELL,
  approve,
  type Confirmation,
  type Confirmed,
  isShell,
  PEOPLE,
  PROPOSALS_MAX,
  type Proposal,
  type ProposalAct,
  weigh,
  without,
} from '../proposals.ts';
import { type Rejection, reject } from '../rejections.ts';
import { isReason, REASON_MAX_LENGTH } from '../text.ts';

/** The command `restored`, which audited the ledger and compared it with NATS and the chain. */
export const RESTORED_COMMAND = 'system:restored-command';

/** Payments and anchors that one restore names; a further restore names the others. */
export const LOST_MAX = 200;

/** Events between the head that the ledger went back to and the command: services may not go on before it. */
export const UNRECORDED_MAX = 1_000;

/** A payment of the treasury as the chain has it. */
export interface LostPayment {
  readonly signature: string;
  /** Its memo. Another request may get the same id afterwards: this paid only one of this amount to this account. */
  readonly withdrawal: string;
  readonly netMinor: bigint;
  /** The token account that received it. */
  readonly to: string;
}

/** A memo of the treasury about a seal that the ledger lacks, or has with another root. */
export interface LostAnchor {
  readonly signature: string;
  readonly seal: number;
  readonly root: string;
}

/** What the ledger lost when it went back. Nothing else is excused. */
export interface Loss {
  /** The head that the ledger went back to, in hex. */
  readonly position: number;
  readonly hash: string;
  /** The last lost event that is known; `position` if none is. */
  readonly lostTo: number;
  readonly payments: readonly LostPayment[];
  readonly anchors: readonly LostAnchor[];
}

export interface LedgerRestoreProposed {
  readonly type: 'LedgerRestoreProposed';
  readonly data: Loss & { readonly by: string; readonly reason: string };
}

export interface LedgerRestoreApproved {
  readonly type: 'LedgerRestoreApproved';
  readonly data: ProposalAct;
}

export interface LedgerRestoreWithdrawn {
  readonly type: 'LedgerRestoreWithdrawn';
  readonly data: ProposalAct;
}

/** Epochs count the restores. A process that knows a later position accepts a shorter ledger only with a higher epoch. */
export interface LedgerRestored {
  readonly type: 'LedgerRestored';
  readonly data: Loss & {
    readonly epoch: number;
    readonly reason: string;
    /** Missing while the shell may act alone. */
    readonly proposal?: Confirmed;
  };
}

export type RestoreEvent =
  | LedgerRestoreProposed
  | LedgerRestoreApproved
  | LedgerRestoreWithdrawn
  | LedgerRestored;

export interface RestoreLedger {
  readonly type: 'RestoreLedger';
  readonly loss: Loss;
  readonly by: string;
  readonly reason: string;
}

export type RestoreProposalCommand =
  | ({ readonly type: 'ConfirmRestore' } & Confirmation)
  | ({ readonly type: 'WithdrawRestore' } & ProposalAct);

interface RestoreProposal extends Proposal {
  readonly loss: Loss;
}

export interface Restores {
  readonly epoch: number;
  readonly proposals: readonly RestoreProposal[];
  /** By signature, of all restores. */
  readonly lost: Readonly<Record<string, LostPayment | LostAnchor>>;
}

const NONE: Restores = { epoch: 0, proposals: [], lost: {} };

interface Restored {
  readonly restores?: Restores | undefined;
}

export const restoresOf = ({ restores = NONE }: Restored): Restores => restores;

const ofProposal = ({ proposal, reason }: ProposalAct) => ({ proposal, reason });
const ofLoss = ({ position, lostTo, payments, reason }: Loss & { readonly reason: string }) => ({
  position,
  lostTo,
  count: payments.length,
  reason,
});
const ADMIN = { role: 'admin', act: null } as const;

export const RESTORE_EVENTS: DescriptorsOf<RestoreEvent> = {
  LedgerRestoreProposed: {
    number: 19,
    operator: null,
    postings: null,
    sentence: [
      'restore to #{position} proposed, lost up to #{lostTo} with {count} payments: {reason}',
      ofLoss,
    ],
  },
  LedgerRestoreApproved: {
    number: 20,
    operator: ADMIN,
    postings: null,
    sentence: ['restore proposal {proposal} approved: {reason}', ofProposal],
  },
  LedgerRestoreWithdrawn: {
    number: 21,
    operator: { role: 'operator', act: null },
    postings: null,
    sentence: ['restore proposal {proposal} withdrawn: {reason}', ofProposal],
  },
  LedgerRestored: {
    number: 22,
    operator: ADMIN,
    postings: null,
    sentence: [
      'ledger restored to #{position}, epoch {epoch}, lost up to #{lostTo} with {count} payments: {reason}',
      (data) => ({ ...ofLoss(data), epoch: data.epoch }),
    ],
  },
};

/** Proposed by the command. Two admins confirm it; until two have been added, the shell acts alone, as for roles. */
export function restoreLedger(
  state: Restored & { readonly adminsEver: number },
  { loss, by, reason }: RestoreLedger,
): readonly RestoreEvent[] | Rejection {
  if (!isReason(reason)) return reject('reason-invalid', { max: REASON_MAX_LENGTH });
  const { position, hash, lostTo, payments, anchors } = loss;
  assert(/^[0-9a-f]{64}$/.test(hash), 'a restored ledger has a head');
  assert(Number.isSafeInteger(lostTo) && lostTo >= position, 'lost events come after the head');
  assert(payments.length <= LOST_MAX && anchors.length <= LOST_MAX, 'a restore names a few');
  const { epoch, proposals } = restoresOf(state);
  if (isShell(by) && state.adminsEver < ADMINS_BY_SHELL) {
    return [{ type: 'LedgerRestored', data: { ...loss, epoch: epoch + 1, reason } }];
  }
  if (proposals.length >= PROPOSALS_MAX)
    return reject('proposals-too-many', { max: PROPOSALS_MAX });
  return [{ type: 'LedgerRestoreProposed', data: { ...loss, by, reason } }];
}

export function actOnRestore(
  state: Restored,
  command: RestoreProposalCommand,
  isAdmin: (actor: string) => boolean,
): readonly RestoreEvent[] | Rejection {
  const { proposal: number, by, reason } = command;
  if (!isReason(reason)) return reject('reason-invalid', { max: REASON_MAX_LENGTH });
  const { proposals, epoch } = restoresOf(state);
  const proposal = proposals.find((one) => one.number === number);
  if (!proposal) return reject('no-such-proposal');
  const act = { proposal: number, by, reason };
  if (command.type === 'WithdrawRestore') return [{ type: 'LedgerRestoreWithdrawn', data: act }];
  const weighed = weigh(proposal, {
    ...command,
    mayAct: isAdmin,
    // Also with a single admin left, who could have revoked the others.
    needed: PEOPLE,
    // Payments wait for it.
    waitMs: 0,
  });
  if (weighed === 'approves') return [{ type: 'LedgerRestoreApproved', data: act }];
  if (weighed !== 'applies') return weighed;
  const confirmed = { number, by: proposal.by, reason };
  const data = { ...proposal.loss, epoch: epoch + 1, reason: proposal.reason, proposal: confirmed };
  return [{ type: 'LedgerRestored', data }];
}

export function evolveRestores(
  state: Restored & { readonly version: number },
  { type, data }: RestoreEvent,
): Restores {
  const known = restoresOf(state);
  switch (type) {
    case 'LedgerRestoreProposed': {
      const { by, reason, ...loss } = data;
      const proposal = { number: state.version + 1, by, reason, approvals: [], loss };
      return { ...known, proposals: [...known.proposals, proposal] };
    }
    case 'LedgerRestoreApproved':
      return { ...known, proposals: approve(known.proposals, data) };
    case 'LedgerRestoreWithdrawn':
      return { ...known, proposals: without(known.proposals, data.proposal) };
    case 'LedgerRestored': {
      const { epoch, payments, anchors } = data;
      const named = [...payments, ...anchors].map((one) => [one.signature, one] as const);
      const lost = { ...known.lost, ...Object.fromEntries(named) };
      // What was proposed before compared another epoch.
      return { epoch, proposals: [], lost };
    }
  }
}

/** The lost payments of the chain with the id and the amount of a withdrawal. */
export function lostPaymentsOf(
  state: Restored,
  due: { readonly withdrawal: string; readonly netMinor: bigint },
): readonly LostPayment[] {
  return Object.values(restoresOf(state).lost).flatMap((one) =>
    'withdrawal' in one && one.withdrawal === due.withdrawal && one.netMinor === due.netMinor
      ? [one]
      : [],
  );
}
