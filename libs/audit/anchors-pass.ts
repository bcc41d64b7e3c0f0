import { createRootFold } from '@reelbook/fairness/merkle';
import { CASHIER } from '@reelbook/ledger/player/withdrawal';
import type { SealAnchored } from '@reelbook/ledger/treasury/events';
import type { TreasuryState } from '@reelbook/ledger/treasury/state';
import type { Findings } from './findings.ts';
import type { AuditedEvent } from './terms-pass.ts';

/** Anchors kept for a comparison with the chain: the newest, each of which costs a question to an RPC. */
export const ANCHORS_COMPARED_MAX = 1_000;

export interface AnchorInBook {
  readonly position: number;
  readonly data: SealAnchored['data'];
}

/**
 * The anchors as the book has them: without a gap, by the cashier, each of seals that stood there, with their very roots
 * and the treasury's wallet of the time. Whether the chain has the memo is for `compareAnchors`.
 */
export class AnchorsPass {
  count = 0;
  /** The newest seal that is anchored. */
  seal = 0;
  private wallet: string | null = null;
  /** Roots of the seals that no anchor covers yet, oldest first. */
  private waiting: string[] = [];
  private readonly signatures = new Set<string>();
  private readonly newest: AnchorInBook[] = [];
  private readonly findings: Findings;

  constructor(findings: Findings) {
    this.findings = findings;
  }

  next({ event, position, actor, before }: AuditedEvent): void {
    if (event.type === 'ConfigChanged') this.wallet = event.data.after.token.projectWallet;
    if (event.type === 'LedgerSealed') this.waiting.push(event.data.root);
    if (event.type !== 'SealAnchored') return;
    const { data } = event;
    const note = (message: string) => this.findings.add('anchors', position, message);
    const { anchoredSeal } = before as TreasuryState;
    if (data.fromSeal !== anchoredSeal + 1) {
      note(`an anchor from seal ${data.fromSeal} follows one up to seal ${anchoredSeal}`);
    }
    if (actor !== CASHIER) note('an anchor that the cashier did not make');
    if (data.wallet !== this.wallet) note('an anchor by another wallet than the treasury');
    if (this.signatures.has(data.signature)) note('an anchor in a transaction of another one');
    this.signatures.add(data.signature);
    this.compare(data, note);
    this.count++;
    this.seal = data.seal;
    this.newest.push({ position, data });
    if (this.newest.length > ANCHORS_COMPARED_MAX) this.newest.shift();
  }

  /** Those that can be compared with the chain, oldest first. */
  get anchors(): readonly AnchorInBook[] {
    return this.newest;
  }

  private compare(data: SealAnchored['data'], note: (message: string) => void): void {
    const count = data.seal - data.fromSeal + 1;
    const roots = this.waiting.slice(0, count);
    this.waiting = this.waiting.slice(count);
    if (count < 1 || roots.length < count) {
      note(`it anchors the seals ${data.fromSeal} to ${data.seal}, which are not there`);
      return;
    }
    const tree = createRootFold();
    for (const root of roots) tree.push(Buffer.from(root, 'hex'));
    const sealsRoot = Buffer.from(tree.root()).toString('hex');
    if (roots.at(-1) !== data.root || sealsRoot !== data.sealsRoot) {
      note(`it anchors other roots than those of the seals ${data.fromSeal} to ${data.seal}`);
    }
  }
}
