import { canonical } from '../codec.ts';
import {
  type Agreed,
  isFormed,
  isOwnProposal,
  type LedgerKind,
  PEOPLE,
  PROPOSAL_LIFE_MS,
  PROPOSAL_RULES,
  type ProposalCare,
  type ProposedCommand,
  proposalRole,
  WAIT_MS,
  withdrawalRole,
} from '../proposals.ts';
import { type Rejection, reject } from '../rejections.ts';
import { isReason, REASON_MAX_LENGTH } from '../text.ts';
import type {
  Executed,
  OpenProposal,
  ProposalAct,
  ProposalEvent,
  Proposed,
  Refused,
} from './proposals.ts';
import { isShell, mayAct, type Role, walletOf } from './roles.ts';

interface Proposing {
  readonly operators: Readonly<Record<string, Role | null>>;
  readonly proposals: readonly OpenProposal[];
  readonly version: number;
}

export type ProposalCommand =
  | ({ readonly type: 'Propose' } & ProposedCommand & ProposedTerms)
  | ({ readonly type: 'Approve'; readonly nowMs: number } & ProposalAct)
  | ({ readonly type: 'Withdraw' } & ProposalAct)
  | ({ readonly type: 'EndProposal' } & (Executed['data'] | Refused['data']));

export interface ProposedTerms {
  readonly by: string;
  readonly reason: string;
  readonly fingerprint: string;
  /** Of changes of the configuration; other kinds have theirs. */
  readonly care: ProposalCare;
  /** Of the first configuration. */
  readonly ledger: LedgerKind;
  readonly nowMs: number;
}

export function actOnProposal(
  state: Proposing,
  command: ProposalCommand,
): readonly ProposalEvent[] | Rejection {
  if (command.type === 'EndProposal') return endProposal(state, command);
  const { by, reason } = command;
  if (!isReason(reason)) return reject('reason-invalid', { max: REASON_MAX_LENGTH });
  if (command.type === 'Propose') return propose(state, command);
  const number = command.proposal;
  const proposal = find(state, number);
  if (!proposal) return reject('no-such-proposal');
  if (proposal.isApproved) return reject('proposal-approved');
  const isForged = !isFormed(proposal);
  if (isForged && command.type === 'Approve') return reject('proposal-outdated');
  if (!isForged && isOwnProposal(proposal, by)) return reject('operator-own-wallet');
  const act = { proposal: number, by, reason };
  if (command.type === 'Withdraw') {
    const needs = isForged ? 'operator' : withdrawalRole(proposal);
    if (!may(state, by, needs)) return reject('proposal-needs-role', { needs });
    return [{ type: 'Withdrawn', data: act }];
  }
  const weighed = weigh(state, proposal, command);
  return typeof weighed === 'boolean'
    ? [{ type: 'Approved', data: { ...act, isLast: weighed } }]
    : weighed;
}

function propose(
  state: Proposing,
  { type: _, nowMs, ledger, ...proposed }: Extract<ProposalCommand, { type: 'Propose' }>,
): readonly Proposed[] | Rejection {
  const { kind, by } = proposed;
  const rule = PROPOSAL_RULES[kind];
  const needs = proposalRole(proposed);
  const isAllowed = isShell(by) ? rule.shell : may(state, by, needs);
  if (!isAllowed) return reject('proposal-needs-role', { needs });
  if (isOwnProposal(proposed, by)) return reject('operator-own-wallet');
  const same = alive(state, nowMs).filter((one) => one.kind === kind);
  const own = same.filter((one) => one.by === by);
  if (own.length >= rule.perProposer) {
    return reject('proposals-too-many', { max: rule.perProposer });
  }
  if (same.length >= rule.max) return reject('proposals-too-many', { max: rule.max });
  // Two equal adjustments may both be meant.
  const equal = kind !== 'adjustment' && same.find((one) => textOf(one) === textOf(proposed));
  if (equal) return reject('proposed-already', { number: equal.number });
  const care = rule.care ?? proposed.care;
  const waitMs = care === 'wait' ? WAIT_MS[ledger] : 0;
  const number = state.version + 1;
  const data = { ...proposed, number, schema: rule.schema, care, waitMs, atMs: nowMs };
  return [{ type: 'Proposed', data }];
}

const textOf = ({ kind, target, command }: ProposedCommand) => canonical([kind, target, command]);

/**
 * Whether an approval is the last one. Only people who may still act count: a proposal of a revoked admin needs two others.
 */
function weigh(
  state: Proposing,
  proposal: OpenProposal,
  { by, nowMs }: { readonly by: string; readonly nowMs: number },
): boolean | Rejection {
  const needs = proposalRole(proposal);
  if (isShell(by) || !may(state, by, needs)) return reject('proposal-needs-role', { needs });
  if (peopleOf(proposal).includes(by)) return reject('proposal-own');
  const ageMs = nowMs - proposal.atMs;
  if (ageMs > PROPOSAL_LIFE_MS) return reject('proposal-expired');
  if (able(state, proposal).length + 1 < neededFor(state, proposal)) return false;
  if (ageMs >= proposal.waitMs) return true;
  return reject('proposal-waits', { seconds: Math.ceil((proposal.waitMs - ageMs) / 1_000) });
}

function endProposal(
  state: Proposing,
  { type: _, ...end }: Extract<ProposalCommand, { type: 'EndProposal' }>,
): readonly ProposalEvent[] | Rejection {
  const proposal = find(state, end.proposal);
  // Another process ended it.
  if (!proposal) return [];
  if (!proposal.isApproved) return reject('proposal-not-approved');
  return 'rejected' in end ? [{ type: 'Refused', data: end }] : [{ type: 'Executed', data: end }];
}

const peopleOf = ({ by, approvals }: OpenProposal) => [by, ...approvals.map((one) => one.by)];

const find = ({ proposals }: Pick<Proposing, 'proposals'>, number: number) =>
  proposals.find((one) => one.number === number);

function may({ operators }: Pick<Proposing, 'operators'>, actor: string, least: Role): boolean {
  const wallet = walletOf(actor);
  const role = Object.hasOwn(operators, wallet) ? operators[wallet] : null;
  return role ? mayAct(role, least) : false;
}

/** Its people who may still act. */
export const able = (state: Pick<Proposing, 'operators'>, proposal: OpenProposal) =>
  peopleOf(proposal).filter((one) => may(state, one, proposalRole(proposal)));

/** With a single admin left, the shell and this admin add another one: otherwise a lost key could not be replaced. */
export function neededFor(
  { operators }: Pick<Proposing, 'operators'>,
  { kind, by }: Pick<OpenProposal, 'kind' | 'by'>,
): number {
  const admins = Object.values(operators).filter((role) => role === 'admin').length;
  return kind === 'role' && isShell(by) && admins < PEOPLE ? admins : PEOPLE;
}

/** A proposal to be executed now, with its people; or why it must not be. */
export function approvedProposal(
  state: Pick<Proposing, 'operators' | 'proposals'>,
  number: number,
): { readonly proposal: OpenProposal; readonly agreed: Agreed } | Rejection {
  const proposal = find(state, number);
  if (!proposal) return reject('no-such-proposal');
  if (!proposal.isApproved) return reject('proposal-not-approved');
  if (!isFormed(proposal)) return reject('proposal-outdated');
  if (able(state, proposal).length < neededFor(state, proposal)) return reject('proposal-revoked');
  const [by = '', ...approvals] = peopleOf(proposal);
  return { proposal, agreed: { number, by, approvals } };
}

/** Those that are not expired, also one without a time. */
function alive({ proposals }: Pick<Proposing, 'proposals'>, nowMs: number) {
  return proposals.filter(
    ({ isApproved, atMs }) => isApproved || !(nowMs - atMs > PROPOSAL_LIFE_MS),
  );
}

/** The open proposals after an event. */
export function evolveProposals(
  state: Proposing,
  { type, data }: ProposalEvent,
): readonly OpenProposal[] {
  const { proposals } = state;
  if (type === 'Proposed') {
    // A forged one may have the number of another, and any time.
    const number = state.version + 1;
    const others = isFormed(data) ? alive(state, data.atMs) : proposals;
    return [...others, { ...data, number, approvals: [], isApproved: false }];
  }
  if (type !== 'Approved') return proposals.filter(({ number }) => number !== data.proposal);
  return proposals.map((one) =>
    one.number === data.proposal
      ? { ...one, approvals: [...one.approvals, approvalOf(data)], isApproved: data.isLast }
      : one,
  );
}

/** A forged one may lack both. */
const approvalOf = ({ by, reason }: ProposalAct) => ({ by: String(by), reason: String(reason) });
