import { DAY_MS } from './calendar.ts';
import { type Rejection, reject } from './rejections.ts';

/** A change that loosens a limit or raises a role is proposed, waits, and is confirmed by a second person. */

/** Points of play money have no value; those of real money are backed by the treasury. */
export type LedgerKind = 'play' | 'real';

/** How long a proposal is shown to all operators before it can be confirmed. */
export const WAIT_MS: Readonly<Record<LedgerKind, number>> = { play: 10_000, real: DAY_MS };
/** After this a proposal can only be withdrawn. */
export const PROPOSAL_LIFE_MS = 7 * DAY_MS;
/** Open ones in one stream. */
export const PROPOSALS_MAX = 20;
/** The admins that shell commands may add alone; from then on shell commands only propose. */
export const ADMINS_BY_SHELL = 2;
/** People who must agree. */
export const PEOPLE = 2;

export interface Proposal {
  /** The version of its event in its stream; the event's time is read there. */
  readonly number: number;
  /** The actor: `operator:<wallet>`, or `system:...` for a shell command, which does not count as a person. */
  readonly by: string;
  readonly reason: string;
  /** Actors who approved it while another approval was still needed. */
  readonly approvals: readonly string[];
}

/** Part of the event that puts a proposal into force. */
export interface Confirmed {
  readonly number: number;
  /** The proposer; the confirming person is the actor of the event. */
  readonly by: string;
  /** The reason of the confirmation; the event's own reason is the proposal's. */
  readonly reason: string;
}

/** An approval of a proposal, or its withdrawal. */
export interface ProposalAct {
  readonly proposal: number;
  readonly by: string;
  readonly reason: string;
}

export interface Confirmation extends ProposalAct {
  /** When the event of the proposal was sealed. */
  readonly proposedAtMs: number;
  readonly nowMs: number;
}

/** The wallet of an operator's actor. */
export const walletOf = (actor: string) => actor.replace(/^operator:/, '');

export const isShell = (actor: string) => actor.startsWith('system:');

/**
 * Whether a confirmation is one more approval or puts the proposal into force. Only people who may still act count: a
 * proposal of a revoked admin needs two others.
 */
export function weigh(
  { by, approvals }: Proposal,
  confirmation: Pick<Confirmation, 'by' | 'proposedAtMs' | 'nowMs'> & {
    readonly mayAct: (actor: string) => boolean;
    readonly needed: number;
    readonly waitMs: number;
  },
): 'approves' | 'applies' | Rejection {
  if (!confirmation.mayAct(confirmation.by)) return reject('proposal-needs-admin');
  const others = [by, ...approvals];
  if (others.includes(confirmation.by)) return reject('proposal-own');
  // A reading of the clock may be a little older than the event.
  const ageMs = Math.max(0, confirmation.nowMs - confirmation.proposedAtMs);
  if (ageMs > PROPOSAL_LIFE_MS) return reject('proposal-expired');
  const people = others.filter((actor) => !isShell(actor) && confirmation.mayAct(actor)).length + 1;
  if (people < confirmation.needed) return 'approves';
  if (ageMs >= confirmation.waitMs) return 'applies';
  return reject('proposal-waits', { seconds: Math.ceil((confirmation.waitMs - ageMs) / 1_000) });
}

/** The open proposals after one more approval of one of them. */
export function approve<One extends Proposal>(
  proposals: readonly One[],
  { proposal, by }: ProposalAct,
): readonly One[] {
  return proposals.map((one) =>
    one.number === proposal ? { ...one, approvals: [...one.approvals, by] } : one,
  );
}

export function without<One extends Proposal>(
  proposals: readonly One[],
  number: number | undefined,
): readonly One[] {
  return number === undefined ? proposals : proposals.filter((one) => one.number !== number);
}
