import { isEventType } from '@reelbook/ledger/event-types';
import { mayWrite } from '@reelbook/ledger/writers';
import type { Findings } from './findings.ts';
import type { AuditedEvent } from './terms-pass.ts';

/**
 * Each event is by its player, by a part of the system that writes its type, or by an operator, whom the operators pass
 * checks. It cannot prove that the named part wrote it: see docs/insiders.md.
 */
export class ActorsPass {
  private readonly findings: Findings;

  constructor(findings: Findings) {
    this.findings = findings;
  }

  next({ event: { type }, actor, owner, position }: AuditedEvent): void {
    if (actor.startsWith('operator:') || !isEventType(type) || mayWrite(actor, type, owner)) return;
    this.findings.add('actors', position, `${type} by ${actor}, which may not write it`);
  }
}
