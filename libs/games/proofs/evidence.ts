import { playerStream } from '@reelbook/ledger/streams';
import { canonicalJson } from './canonical.ts';
import type { EventProof } from './event-proof.ts';
import type { Signature } from './signature.ts';

/** The version of the format. Another format gets another version; this one never changes. */
export const EVIDENCE_VERSION = 'reelbook-evidence-1';

/** More events need an export. */
export const EVIDENCE_EVENTS_MAX = 500;

export const EVIDENCE_SUBJECTS = ['event', 'round', 'withdrawal', 'player'] as const;
export type EvidenceSubject = (typeof EVIDENCE_SUBJECTS)[number];

export interface EvidenceEvent extends EventProof {
  /** The first event of its command, whose body has the actor. */
  readonly first_position: number;
}

/** What one person, or the site itself, decided and why. Follows from the events. */
export interface Decision {
  readonly position: number;
  /** The type of the event. */
  readonly type: string;
  readonly by: string;
  readonly reason: string | null;
}

/** One file on an event, a round, a withdrawal or a player: the events with their proofs, causes and decisions. */
export interface Evidence {
  readonly version: string;
  readonly made_at: string;
  readonly operator: string;
  /** `id` is a position, a round, a withdrawal or a wallet. */
  readonly subject: { readonly kind: EvidenceSubject; readonly id: string };
  /** The head of the ledger when the file was made. */
  readonly head: { readonly position: number; readonly hash: string };
  /** In order of their positions. */
  readonly events: readonly EvidenceEvent[];
  /** Causes and effects, as the console shows them. */
  readonly links: readonly {
    readonly from: number;
    readonly to: number;
    readonly relation: string;
  }[];
  readonly decisions: readonly Decision[];
  /** The ledger has more events on the subject. */
  readonly truncated: boolean;
  /** By the key that signs the site's receipts; null if the maker had no key. */
  readonly signature: Signature | null;
}

/** The signed text: the version, a line break, and the file without its signature as canonical JSON, in UTF-8. */
export function evidenceText(evidence: Omit<Evidence, 'signature'>): string {
  const { signature: _, ...body } = evidence as Evidence;
  return `${EVIDENCE_VERSION}\n${canonicalJson(body)}`;
}

/** The parts of a body that evidence refers to; none is trusted. */
interface Text {
  readonly type?: unknown;
  readonly stream?: unknown;
  readonly meta?: { readonly actor?: unknown } | null;
  readonly data?: Readonly<Record<string, unknown>> | null;
}

/** The people and reasons in the texts of events: proposals, approvals, refusals and other actions of operators. */
export function decisionsOf(
  events: readonly Pick<EvidenceEvent, 'position' | 'first_position' | 'body'>[],
): readonly Decision[] {
  const texts = new Map(events.map(({ position, body }) => [position, JSON.parse(body) as Text]));
  return events.flatMap(({ position, first_position }) => {
    const { type, data } = texts.get(position) ?? {};
    const actor = texts.get(first_position)?.meta?.actor;
    const by = textOr(actor, '');
    if (typeof data?.reason !== 'string' && !by.startsWith('operator:')) return [];
    const decision = (who: unknown, reason: unknown): Decision => ({
      ...{ position, type: textOr(type, '') },
      ...{ by: textOr(who, by), reason: textOr(reason, null) },
    });
    const { proposal, approvedBy } = data ?? {};
    if (isRecord(proposal)) {
      return [decision(proposal.by, data?.reason), decision(by, proposal.reason)];
    }
    const own = decision(data?.by, data?.reason);
    if (typeof approvedBy !== 'string') return [own];
    return [own, decision(approvedBy, data?.approvalReason)];
  });
}

/** Whether one of the events is the subject. */
export function hasSubject({ subject, events }: Evidence): boolean {
  const { kind, id } = subject;
  return events.some(({ position, body }) => {
    if (kind === 'event') return String(position) === id;
    const { stream, data } = JSON.parse(body) as Text;
    if (kind === 'player') return stream === playerStream(id);
    return data?.[kind] === id;
  });
}

function textOr<Other>(value: unknown, other: Other): string | Other {
  return typeof value === 'string' ? value : other;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
