import { canonical } from '@reelbook/ledger/codec';
import type { Config } from '@reelbook/ledger/config/config';
import {
  CASHIER,
  type DepositCredited,
  type WithdrawalRequested,
} from '@reelbook/ledger/player/payment-events';
import { standingOf } from '@reelbook/ledger/player/standing';
import type { PlayerState } from '@reelbook/ledger/player/state';
import {
  feeMinorOf,
  isAutomatic,
  OPERATORS_NEEDED,
  refuseWithdrawal,
} from '@reelbook/ledger/player/withdrawal';
import { openOf } from '@reelbook/ledger/player/withdrawals';
import type {
  UnmatchedDepositResolved,
  UnmatchedResolution,
} from '@reelbook/ledger/treasury/events';
import { takesTwo } from '@reelbook/ledger/treasury/unmatched';
import type { Findings } from './findings.ts';
import type { AuditedEvent } from './terms-pass.ts';

/** An unmatched deposit as far as it was followed. */
interface Unmatched {
  readonly sender: string | null;
  /** The player whose transfer it is by the chain's own verdict; null: nobody's for certain. */
  readonly owner: string | null;
  readonly amountMinor: bigint;
  /** `house`, or `player:<wallet>`; null while it is open. */
  to: string | null;
  credited: boolean;
  /** The last word of one operator, where it takes two. */
  proposed: { readonly to: string; readonly by: string } | null;
}

/** Why a transfer of a single sender is in the queue: that wallet was no player's, or it is too much for one credit. */
export function isOfOneSender(reason: string): boolean {
  return reason === 'no-such-player' || reason === 'too-large';
}

/**
 * Money over the chain, followed from the first event: every transfer is taken up once, whether credited or queued; what
 * was queued is credited to whom it was given; no signature pays twice; fees, bounds and approvals are those in force,
 * and who is said to have acted did. The order of a withdrawal's steps is the state machine's own, which the fold checks.
 */
export class PaymentsPass {
  private config: Config | null = null;
  private readonly taken = new Set<string>();
  private readonly unmatched = new Map<string, Unmatched>();
  private readonly signatures = new Set<string>();
  private readonly players = new Set<string>();
  private denied: string | null = null;
  private readonly findings: Findings;

  constructor(findings: Findings) {
    this.findings = findings;
  }

  next(audited: AuditedEvent): void {
    const { event, position, actor } = audited;
    const note = (message: string) => this.findings.add('payments', position, message);
    if (this.denied !== null && event.type !== 'WithdrawalReleased') {
      note(`${this.denied} was denied and is not released`);
      this.denied = null;
    }
    switch (event.type) {
      case 'ConfigChanged':
        this.config = event.data.after;
        return;
      case 'PlayerRegistered':
        this.players.add(audited.owner);
        return;
      case 'DepositCredited':
        this.credit(event.data, audited.owner, note);
        if (actor !== CASHIER) note('a deposit that the cashier did not credit');
        return;
      case 'UnmatchedDepositSeen': {
        const { signature, tokenAccount, amountMinor, sender, reason } = event.data;
        if (actor !== CASHIER) note('an arrival that the cashier did not see');
        this.take(`${signature} ${tokenAccount}`, note);
        const isOwned = sender !== null && isOfOneSender(reason) && this.players.has(sender);
        const owner = isOwned ? sender : null;
        const seen = { sender, owner, amountMinor, to: null, credited: false, proposed: null };
        this.unmatched.set(`${signature} ${tokenAccount}`, seen);
        return;
      }
      case 'UnmatchedDepositProposed':
        this.propose(event.data, note);
        if (actor !== event.data.by) note('a proposal by another than it says');
        return;
      case 'UnmatchedDepositResolved':
        this.resolve(event.data, note);
        if (actor !== event.data.by) note('a resolution by another than it says');
        return;
      default:
        this.followWithdrawal(audited, note);
    }
  }

  private followWithdrawal(
    { event, actor, owner, before: state }: AuditedEvent,
    note: (message: string) => void,
  ): void {
    const before = state as PlayerState;
    switch (event.type) {
      case 'WithdrawalRequested':
        this.request(event.data, before, note);
        if (actor !== `player:${owner}`) note('a withdrawal that its player did not ask for');
        return;
      case 'WithdrawalApproved': {
        const { withdrawal, by, needed } = event.data;
        const open = openOf(before, withdrawal);
        const terms = this.config?.withdraw;
        if (actor !== by) note('an approval by another than it says');
        if (open?.approvedBy.includes(by)) note('an approval by one who has approved it before');
        if (needed !== (by === CASHIER ? 1 : OPERATORS_NEEDED))
          note('an approval that takes too few');
        if (by === CASHIER && open && terms && !isAutomatic(open, terms)) {
          note('an approval by the cashier above its bound');
        }
        if (by === CASHIER && standingOf(before).suspended) {
          note('an approval by the cashier of a suspended player');
        }
        return;
      }
      case 'WithdrawalDenied':
        if (actor !== event.data.by) note('a denial by another than it says');
        if (openOf(before, event.data.withdrawal)?.expired?.by !== undefined && actor !== CASHIER) {
          note("a denial after an operator's word that the attempt is dead");
        }
        this.denied = event.data.withdrawal;
        return;
      case 'WithdrawalReleased':
        if (this.denied !== event.data.withdrawal) note('a release of what was not denied');
        this.denied = null;
        return;
      case 'WithdrawalSigned':
        if (this.signatures.has(event.data.signature)) note('a signature that was used before');
        this.signatures.add(event.data.signature);
        if (!this.config?.withdraw.enabled) note('signed while withdrawals were paused');
        if (actor !== CASHIER) note('a payment that the cashier did not sign');
        return;
      case 'WithdrawalFinalized':
        if (actor !== CASHIER) note('a payment that the cashier did not see on the chain');
        return;
      case 'WithdrawalAttemptFailed': {
        const { outcome, blockHeight, withdrawal, by = CASHIER } = event.data;
        if (actor !== by) note('an end of an attempt by another than it says');
        const last = openOf(before, withdrawal)?.live?.lastValidBlockHeight ?? 0;
        if (outcome === 'expired' && blockHeight <= last)
          note('taken for expired while it could land');
        return;
      }
      default:
        return;
    }
  }

  private take(key: string, note: (message: string) => void): void {
    if (this.taken.has(key)) note('a transfer that was taken up before');
    this.taken.add(key);
  }

  private credit(
    { signature, tokenAccount, amountMinor, from }: DepositCredited['data'],
    owner: string,
    note: (message: string) => void,
  ): void {
    const key = `${signature} ${tokenAccount}`;
    if (from === 'chain') {
      this.take(key, note);
      return;
    }
    const found = this.unmatched.get(key);
    if (found?.to !== `player:${owner}`)
      note('a deposit from the queue that was not given to this player');
    else if (found.credited) note('a deposit from the queue that was credited before');
    else if (found.amountMinor !== amountMinor) note('a deposit from the queue of another amount');
    if (found) found.credited = true;
  }

  private propose(
    { signature, tokenAccount, amountMinor, to, by }: UnmatchedResolution,
    note: (message: string) => void,
  ): void {
    const found = this.unmatched.get(`${signature} ${tokenAccount}`);
    if (found?.to !== null || found.amountMinor !== amountMinor) {
      note('a proposal for what does not wait, or not so much');
    } else found.proposed = { to, by };
  }

  private resolve(said: UnmatchedDepositResolved['data'], note: (message: string) => void): void {
    const { signature, tokenAccount, amountMinor, to } = said;
    const found = this.unmatched.get(`${signature} ${tokenAccount}`);
    if (!found) {
      note('a resolution of what was never seen');
      return;
    }
    if (found.to !== null) note('a resolution of what was resolved before');
    if (found.amountMinor !== amountMinor) note('a resolution of another amount than was seen');
    if (found.owner !== null && to !== `player:${found.owner}`) {
      note(`the deposit of the player ${found.owner} is given to ${to}`);
    }
    const isSender = found.sender !== null && to === `player:${found.sender}`;
    if (said.by === CASHIER && !isSender)
      note('a resolution by the cashier for another than the sender');
    this.checkEyes(said, found, note);
    found.to = to;
  }

  private checkEyes(
    { by, to, amountMinor, proposedBy }: UnmatchedDepositResolved['data'],
    { proposed }: Unmatched,
    note: (message: string) => void,
  ): void {
    if (!by.startsWith('operator:')) return;
    const singleOperatorMaxTokenMinor = this.config?.adjust.singleOperatorMaxTokenMinor ?? 0n;
    const isLarge = takesTwo({ by, to, amountMinor, singleOperatorMaxTokenMinor });
    const other = proposed?.to === to && proposed.by !== by ? proposed.by : null;
    if (isLarge && other === null) note('a resolution by one operator alone that takes two');
    if (proposedBy !== (isLarge ? other : null)) note('a resolution that another proposed');
  }

  private request(
    data: WithdrawalRequested['data'],
    before: PlayerState,
    note: (message: string) => void,
  ): void {
    const terms = this.config?.withdraw;
    if (!terms) {
      note('a withdrawal before anything was configured');
      return;
    }
    const { amountMinor, to, feeRate, feeMinor, netMinor } = data;
    const asked = { type: 'RequestWithdrawal', amountMinor, to, terms } as const;
    // What the chain knew of the address is not in the ledger.
    const refused = refuseWithdrawal(before, { ...asked, address: 'wallet', makesAccount: false });
    if (refused) note(`a withdrawal that was to be refused: ${refused.rejected}`);
    if (canonical(feeRate) !== canonical(terms.feeRate))
      note('a fee at another rate than in force');
    if (feeMinor !== feeMinorOf(amountMinor, feeRate) || netMinor !== amountMinor - feeMinor) {
      note('a withdrawal whose fee and net are not its amount');
    }
  }
}
