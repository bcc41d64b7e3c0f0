import { type AnchorProof, findAnchorFault } from './anchor.ts';
import { canonicalJson } from './canonical.ts';
import { findChainFault } from './chained-event.ts';
import { findInclusionFault } from './event-proof.ts';
import {
  decisionsOf,
  EVIDENCE_EVENTS_MAX,
  EVIDENCE_VERSION,
  type Evidence,
  type EvidenceEvent,
  evidenceText,
  hasSubject,
} from './evidence.ts';
import { checkSigned, type Signed } from './verify-export.ts';

export interface EvidenceFault {
  readonly position: number | null;
  readonly message: string;
}

export interface EvidenceReport {
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
  try {
    const value = JSON.parse(text) as Partial<Evidence> | null;
    return typeof value?.version === 'string' && value.version.startsWith('reelbook-evidence-')
      ? (value as Evidence)
      : null;
  } catch {
    return null;
  }
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
    ...{ text: () => evidenceText(evidence), signature: evidence.signature, publicKey },
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
