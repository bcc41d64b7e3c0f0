import { createRootFold } from '@reelbook/games/fairness/merkle';
import { CASHIER } from '@reelbook/ledger/player/payment-events';
import type { SealAnchored } from '@reelbook/ledger/treasury/events';
import type { TreasuryState } from '@reelbook/ledger/treasury/state';
import type { Findings } from './findings.ts';
import type { AuditedEvent } from './terms-pass.ts';

/**
 * The anchors as recorded: without a gap, by the cashier, each of seals recorded before it, with their roots and the
 * treasury's wallet of that time. `chain/reconcile.ts` checks that the chain has the memo.
 */
export class AnchorsPass {
  count = 0;
  /** The newest seal that is anchored. */
  seal = 0;
  /** The last position that it covers, and when it was recorded; null before the first anchor. */
  to = 0;
  time: string | null = null;
  private wallet: string | null = null;
  /** Roots of the seals that no anchor covers yet, oldest first. */
  private waiting: { readonly root: string; readonly from: number; readonly to: number }[] = [];
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
    const note = (message: string, details = {}) =>
      this.findings.add('anchors', position, message, details);
    const { anchoredSeal } = before as TreasuryState;
    if (data.fromSeal !== anchoredSeal + 1) {
      note(
        `the anchor starts at seal ${data.fromSeal}, the previous one ends at seal ${anchoredSeal}`,
      );
    }
    if (actor !== CASHIER) note('the anchor is not by the cashier');
    if (data.wallet !== this.wallet) note("the anchor's wallet is not the treasury's");
    if (this.signatures.has(data.signature))
      note('the anchor reuses the transaction of another anchor');
    this.signatures.add(data.signature);
    this.compare(data, note);
    this.count++;
    this.seal = data.seal;
    this.time = time;
  }

  private compare(
    data: SealAnchored['data'],
    note: (message: string, details?: object) => void,
  ): void {
    const count = data.seal - data.fromSeal + 1;
    const seals = this.waiting.slice(0, count);
    const roots = seals.map(({ root }) => root);
    this.to = seals.at(-1)?.to ?? this.to;
    this.waiting = this.waiting.slice(count);
    if (count < 1 || roots.length < count) {
      note(`seals ${data.fromSeal} to ${data.seal} are anchored and do not exist`);
      return;
    }
    const tree = createRootFold();
    for (const root of roots) tree.push(Buffer.from(root, 'hex'));
    const sealsRoot = Buffer.from(tree.root()).toString('hex');
    if (roots.at(-1) !== data.root || sealsRoot !== data.sealsRoot) {
      // The seals after an altered one have other roots as well.
      note(`the anchored roots differ from those of seals ${data.fromSeal} to ${data.seal}`, {
        row: 'roots',
        range: [seals[0]?.from ?? 1, this.to],
      });
    }
  }
}
