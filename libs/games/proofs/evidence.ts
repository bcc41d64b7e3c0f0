import { playerStream } from '@reelbook/ledger/streams';
import { readObject } from '@reelbook/ledger/text';
import { type AnchorProof, findAnchorFault } from './anchor.ts';
import { canonicalJson } from './canonical.ts';
import { findChainFault } from './chained-event.ts';
import { type EventProof, findInclusionFault } from './event-proof.ts';
import type { Signature } from './signature.ts';
import { checkSigned, type Signed } from './verify-export.ts';

/** The version of the format. Another format gets another version; this one never changes. */
export const EVIDENCE_VERSION = 'reelbook-evidence-1';

/** More events need an export. */
export const EVIDENCE_EVENTS_MAX = 500;

const EVIDENCE_SUBJECTS = ['event', 'round', 'withdrawal', 'player'] as const;
type EvidenceSubject = (typeof EVIDENCE_SUBJECTS)[number];

export interface EvidenceEvent extends EventProof {
  /** The first event of its command, whose body has the actor. */
  readonly first_position: number;
}

/** What one person, or the site itself, decided and why. Follows from the events. */
interface Decision {
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
    const reason = textOr(data?.reason, null);
    return [{ position, type: textOr(type, ''), by: textOr(data?.by, by), reason }];
  });
}

/** Whether one of the events is the subject. */
function hasSubject({ subject, events }: Evidence): boolean {
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

interface EvidenceFault {
  readonly position: number | null;
  readonly message: string;
}

interface EvidenceReport {
  readonly evidence: Evidence;
  readonly signed: Signed;
  /** Events under the root of a seal, and those whose seal is under an anchor. */
  readonly sealed: number;
  readonly anchored: number;
  /** By transaction. Only the chain confirms them. */
  readonly anchors: readonly AnchorProof[];
  readonly faults: readonly EvidenceFault[];
}

/** The evidence in a text; null for any other text, such as an export of several lines. */
export function readEvidence(text: string): Evidence | null {
  const value = readObject<Evidence>(text);
  const isString = typeof value?.version === 'string';
  return isString && value.version.startsWith('reelbook-evidence-') ? (value as Evidence) : null;
}

/**
 * Verifies evidence without the ledger: signature, hash, seal and anchor of each event, the chain between consecutive ones,
 * and that subject, causes and decisions follow from the events. `publicKey`: the site's, from another source; null uses
 * the one in the file.
 */
export function verifyEvidence(evidence: Evidence, publicKey: string | null): EvidenceReport {
  const faults: EvidenceFault[] = [];
  const note = (position: number | null, message: string) => faults.push({ position, message });
  const report = { evidence, sealed: 0, anchored: 0, anchors: [], faults };
  if (evidence.version !== EVIDENCE_VERSION) {
    note(null, `unknown version ${evidence.version} of the evidence`);
    return { ...report, signed: 'unsigned' };
  }
  const { signed, fault } = checkSigned('the evidence', {
    text: () => evidenceText(evidence),
    signature: evidence.signature,
    publicKey,
  });
  if (fault) note(null, fault);
  try {
    const { sealed, anchors } = checkEvents(evidence, note);
    checkRest(evidence, note);
    return { ...report, signed, sealed, ...anchors };
  } catch (error) {
    note(null, `it cannot be read: ${error instanceof Error ? error.message : String(error)}`);
    return { ...report, signed };
  }
}

type Note = (position: number | null, message: string) => void;

function checkEvents({ events }: Evidence, note: Note) {
  if (events.length === 0 || events.length > EVIDENCE_EVENTS_MAX) {
    note(null, `it has ${events.length} events; evidence has 1 to ${EVIDENCE_EVENTS_MAX}`);
  }
  const anchors = new Map<string, AnchorProof>();
  let sealed = 0;
  let anchored = 0;
  for (const [i, event] of events.entries()) {
    const fault = findEventFault(event, events[i - 1]);
    if (fault) note(event.position, fault);
    const anchor = event.inclusion?.anchor;
    if (fault) continue;
    if (event.inclusion) sealed++;
    if (!anchor) continue;
    anchored++;
    anchors.set(anchor.signature, anchor);
  }
  return { sealed, anchors: { anchored, anchors: [...anchors.values()] } };
}

function findEventFault(event: EvidenceEvent, before: EvidenceEvent | undefined): string | null {
  const { position, inclusion, previous_hash } = event;
  if (before && position <= before.position) return `it is after #${before.position}`;
  const fault = findChainFault(event);
  if (fault) return fault;
  if (before?.position === position - 1 && before.hash !== previous_hash) {
    return `its previous hash is not that of #${before.position}`;
  }
  if (!inclusion) return null;
  return (
    findInclusionFault(event, inclusion) ??
    (inclusion.anchor ? findAnchorFault(inclusion, inclusion.anchor) : null)
  );
}

function checkRest(evidence: Evidence, note: Note): void {
  const { subject, events, links, decisions } = evidence;
  const positions = new Set(events.map(({ position }) => position));
  if (!hasSubject(evidence)) {
    note(null, `it has no event of its subject, ${subject.kind} ${subject.id}`);
  }
  for (const { position, first_position: first } of events) {
    if (!positions.has(first))
      note(position, `the first event of its command, #${first}, is missing`);
  }
  for (const { from, to } of links) {
    const isKnown = positions.has(from) && positions.has(to) && from < to;
    if (!isKnown) note(null, `its cause #${from} of #${to} is not in the file`);
  }
  if (canonicalJson(decisions) !== canonicalJson(decisionsOf(events))) {
    note(null, 'its decisions and reasons differ from those in the texts of the events');
  }
}
