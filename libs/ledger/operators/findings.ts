import {
  ACTION_WITH_REASON,
  type DescriptorsOf,
  type EventOf,
  movesNothing,
  name,
  term,
} from '../descriptor.ts';
import { type Rejection, reject } from '../rejections.ts';
import { isReason, REASON_MAX_LENGTH } from '../text.ts';
import { walletOf } from './roles.ts';

/** Findings of audits. While one is open, nothing of its subject is paid automatically. */
export interface FindingData {
  /** What an audit found that was not known before, and current states that it found again after a first acceptance. */
  readonly FindingsRecorded: {
    /** The head that was audited. */
    readonly auditedTo: number;
    readonly headHash: string;
    /** Found by the audit in total, including those that were known or are not listed. */
    readonly total: number;
    readonly findings: readonly AuditFinding[];
  };
  /** One operator accepts a finding; a second one must accept it too. */
  readonly FindingAcceptanceProposed: {
    readonly finding: string;
    readonly subject: FindingSubject;
    readonly by: string;
    readonly reason: string;
  };
  /** The finding is closed: explained, or repaired. */
  readonly FindingAccepted: FindingData['FindingAcceptanceProposed'] & {
    readonly proposedBy: string;
  };
}

export type FindingEvent = EventOf<FindingData>;
export type FindingsRecorded = EventOf<FindingData, 'FindingsRecorded'>;

/** What may be paid wrongly. Of `ledger` and `treasury`, nothing at all is paid automatically. */
export type FindingSubject = 'ledger' | 'treasury' | `player:${string}`;

export interface AuditFinding {
  /** Identifies it over audits. SHA-256, hex. */
  readonly digest: string;
  readonly check: string;
  /** The event that it is about, as evidence that does not go away; null: a current state, which can be repaired. */
  readonly position: number | null;
  readonly subject: FindingSubject;
  readonly message: string;
}

export interface KnownFinding extends Pick<AuditFinding, 'subject' | 'position'> {
  /** The version of the event that recorded it. */
  readonly version: number;
  /** The operator who accepted it first. */
  readonly proposedBy?: string;
  readonly accepted?: true;
}

/** By digest: open ones, and accepted evidence, which every later audit finds again. */
export type KnownFindings = Readonly<Record<string, KnownFinding>>;

interface Holding {
  readonly findings?: KnownFindings | undefined;
}

export type RecordFindings = FindingData['FindingsRecorded'] & {
  readonly type: 'RecordFindings';
  /** Recorded in place of those that are not listed. */
  readonly rest: AuditFinding;
};

export interface AcceptFinding {
  readonly type: 'AcceptFinding';
  readonly finding: string;
  readonly by: string;
  readonly reason: string;
}

/** Known at a time, without the one for the rest: they are part of one state. */
export const FINDINGS_MAX = 100;

const factsOf = ({ finding, subject, reason }: FindingData['FindingAcceptanceProposed']) => ({
  finding: name(finding),
  subject: subject.startsWith('player:') ? name(subject) : term(subject),
  reason,
});

export const FINDING_EVENTS: DescriptorsOf<FindingEvent> = {
  FindingsRecorded: movesNothing(15, null, [
    '{count} findings recorded; the first: {message}',
    ({ findings }) => ({ count: findings.length, message: findings[0]?.message ?? '' }),
  ]),
  FindingAcceptanceProposed: movesNothing(16, ACTION_WITH_REASON, [
    'acceptance of finding {finding} about {subject} proposed: {reason}',
    factsOf,
  ]),
  FindingAccepted: movesNothing(17, ACTION_WITH_REASON, [
    'finding {finding} about {subject} accepted: {reason}',
    factsOf,
  ]),
};

/**
 * Appends what is not known. Above the limit, one for the rest holds everything. A current state that one operator accepted
 * as repaired and that is found again is recorded again: the acceptance was of another state, or too early.
 */
export function recordFindings(
  known: KnownFindings = {},
  { type: _, rest, findings, ...audit }: RecordFindings,
): readonly FindingsRecorded[] {
  const isNew = ({ digest, position }: AuditFinding) =>
    !Object.hasOwn(known, digest) || (position === null && known[digest]?.proposedBy !== undefined);
  const fresh = findings.filter(isNew);
  // Those that are known already take no more room.
  const [again, added] = [true, false].map((isKnown) =>
    fresh.filter(({ digest }) => Object.hasOwn(known, digest) === isKnown),
  ) as [AuditFinding[], AuditFinding[]];
  const room = Math.max(0, FINDINGS_MAX - Object.keys(known).length);
  const listed = [...again, ...added.slice(0, room)];
  const isCut = listed.length < fresh.length || findings.length < audit.total;
  const recorded = isCut && isNew(rest) ? [...listed, rest] : listed;
  if (recorded.length === 0) return [];
  return [{ type: 'FindingsRecorded', data: { ...audit, findings: recorded } }];
}

/** The second of two different operators who may both still act closes it. */
export function acceptFinding(
  findings: KnownFindings | undefined,
  { finding, by, reason }: AcceptFinding,
  mayApprove: (actor: string) => boolean,
): readonly FindingEvent[] | Rejection {
  if (!isReason(reason)) return reject('reason-invalid', { max: REASON_MAX_LENGTH });
  if (!mayApprove(by)) return reject('operator-may-not-act');
  const known = openFindings({ findings }).get(finding);
  if (!known) return reject('no-such-finding');
  const { subject, proposedBy } = known;
  if (subject === `player:${walletOf(by)}`) return reject('operator-own-wallet');
  if (proposedBy === by) return reject('proposal-own');
  const data = { finding, subject, by, reason };
  return proposedBy !== undefined && mayApprove(proposedBy)
    ? [{ type: 'FindingAccepted', data: { ...data, proposedBy } }]
    : [{ type: 'FindingAcceptanceProposed', data }];
}

export function evolveFindings(
  { findings = {}, version }: Holding & { readonly version: number },
  { type, data }: FindingEvent,
): KnownFindings {
  if (type === 'FindingsRecorded') {
    const added = data.findings.map(({ digest, subject, position }) => [
      digest,
      { subject, position, version: version + 1 },
    ]);
    return { ...findings, ...Object.fromEntries(added) };
  }
  const { [data.finding]: known, ...others } = findings;
  if (!known) return findings;
  if (type === 'FindingAcceptanceProposed') {
    return { ...others, [data.finding]: { ...known, proposedBy: data.by } };
  }
  // A state that is accepted as repaired and is found again is open again.
  return known.position === null
    ? others
    : { ...others, [data.finding]: { ...known, accepted: true } };
}

/** By digest. */
export function openFindings({ findings = {} }: Holding): ReadonlyMap<string, KnownFinding> {
  return new Map(Object.entries(findings).filter(([, { accepted }]) => !accepted));
}

/** How many open findings hold the automatic payments of a player. */
export function findingsOn(state: Holding, wallet: string): number {
  const all = [...openFindings(state).values()];
  return all.filter(
    ({ subject }) => !subject.startsWith('player:') || subject === `player:${wallet}`,
  ).length;
}
