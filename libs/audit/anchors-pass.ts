import { createRootFold } from '@reelbook/games/fairness/merkle';
import { CASHIER } from '@reelbook/ledger/player/payment-events';
import type { SealAnchored } from '@reelbook/ledger/treasury/events';
import type { TreasuryState } from '@reelbook/ledger/treasury/state';
import type { Findings } from './findings.ts';
import type { AuditedEvent } from './terms-pass.ts';

/**
 * The anchors as the ledger has them: without a gap, by the cashier, each of seals that stood there, with their very roots
 * and the treasury's wallet of the time. Whether the chain has the memo is for `chain/reconcile.ts`.
 */
export class AnchorsPass {
  count = 0;
  /** The newest seal that is anchored. */
  seal = 0;
  /** The last position that it covers, and when it was booked; null before the first anchor. */
  to = 0;
  time: string | null = null;
  private wallet: string | null = null;
  /** Roots of the seals that no anchor covers yet, oldest first. */
  private waiting: { readonly root: string; readonly to: number }[] = [];
  private readonly signatures = new Set<string>();
  private readonly findings: Findings;

  constructor(findings: Findings) {
    this.findings = findings;
  }

  next({ event, position, actor, time, before }: AuditedEvent): void {
    if (event.type === 'ConfigChanged') this.wallet = event.data.after.token.projectWallet;
    if (event.type === 'LedgerSealed') this.waiting.push(event.data);
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
    this.time = time;
  }

  private compare(data: SealAnchored['data'], note: (message: string) => void): void {
    const count = data.seal - data.fromSeal + 1;
    const seals = this.waiting.slice(0, count);
    const roots = seals.map(({ root }) => root);
    this.to = seals.at(-1)?.to ?? this.to;
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
