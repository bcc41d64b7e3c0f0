import { DAY_MS } from './calendar.ts';
import { type Rejection, reject } from './rejections.ts';

/** What loosens a bound or raises a role is proposed, waits, and is confirmed by a second person. */

/** Points of play money cost nothing; those of real money are worth what the treasury holds. */
export type LedgerKind = 'play' | 'real';

/** How long a proposal is shown to all operators before it can be confirmed. */
export const WAIT_MS: Readonly<Record<LedgerKind, number>> = { play: 10_000, real: DAY_MS };
/** After this a proposal can only be withdrawn. */
export const PROPOSAL_LIFE_MS = 7 * DAY_MS;
/** Open ones in one stream. */
export const PROPOSALS_MAX = 20;
/** So many admins are made by shell commands; from then on these propose like everybody else. */
export const ADMINS_BY_SHELL = 2;
/** So many people have to want it. */
export const PEOPLE = 2;

export interface Proposal {
  /** The version of its event in its stream: where its time is read. */
  readonly number: number;
  /** The actor: `operator:<wallet>`, or `system:...` for a shell command, which is no person. */
  readonly by: string;
  readonly reason: string;
  /** Actors who wanted it as well, when one more was needed. */
  readonly approvals: readonly string[];
}

/** In the event that a proposal became. */
export interface Confirmed {
  readonly number: number;
  /** Who proposed it; who confirmed it is the actor of the event. */
  readonly by: string;
  /** Of who confirmed it; the event's own reason is the proposal's. */
  readonly reason: string;
}

/** One more who wants a proposal; and that it is withdrawn. */
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

/** Of an operator's actor. */
export const walletOf = (actor: string) => actor.replace(/^operator:/, '');

export const isShell = (actor: string) => actor.startsWith('system:');

/**
 * Whether a confirmation is one approval more or makes the proposal take effect. Only those count who may still act:
 * a proposal of an admin who was revoked needs two others.
 */
export function weigh(
  { by, approvals }: Proposal,
  o: Pick<Confirmation, 'by' | 'proposedAtMs' | 'nowMs'> & {
    readonly mayAct: (actor: string) => boolean;
    readonly needed: number;
    readonly waitMs: number;
  },
): 'approves' | 'applies' | Rejection {
  if (!o.mayAct(o.by)) return reject('proposal-needs-admin');
  const others = [by, ...approvals];
  if (others.includes(o.by)) return reject('proposal-own');
  const ageMs = o.nowMs - o.proposedAtMs;
  if (ageMs > PROPOSAL_LIFE_MS) return reject('proposal-expired');
  const people = others.filter((actor) => !isShell(actor) && o.mayAct(actor)).length + 1;
  if (people < o.needed) return 'approves';
  if (ageMs >= o.waitMs) return 'applies';
  return reject('proposal-waits', { seconds: Math.ceil((o.waitMs - ageMs) / 1_000) });
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
