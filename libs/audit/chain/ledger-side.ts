import { HOUR_MS } from '@reelbook/ledger/calendar';
import type { WithdrawalRequested } from '@reelbook/ledger/player/payment-events';
import type { SealAnchored } from '@reelbook/ledger/treasury/events';
import type { AuditedEvent } from '../terms-pass.ts';

/** A mint and a wallet that a configuration of the ledger has. */
export interface NamedTreasury {
  readonly position: number;
  readonly mint: string;
  readonly wallet: string;
}

export interface LedgerDeposit {
  readonly position: number;
  readonly signature: string;
  readonly tokenAccount: string;
  readonly slot: number;
  readonly amountMinor: bigint;
  /** The player credited directly; null: it went to the queue of unmatched deposits, or it is dust. */
  readonly creditedTo: string | null;
  /** What the queue records about its origin; null: it was credited directly, or it is dust. */
  readonly queued: { readonly sender: string | null; readonly reason: string } | null;
}

/** One attempt of a withdrawal, with its own signature. */
export interface LedgerAttempt {
  /** Position of its last event. */
  readonly position: number;
  readonly signature: string;
  readonly withdrawal: string;
  readonly to: string;
  readonly netMinor: bigint;
  readonly state: 'open' | 'paid' | 'failed' | 'expired';
  /** The slot in which it landed; null unless it is paid. */
  readonly slot: number | null;
}

export interface LedgerAnchor {
  readonly position: number;
  readonly data: SealAnchored['data'];
}

export interface LedgerObservation {
  readonly position: number;
  readonly slot: number | null;
  readonly tokenMinor: bigint;
}

/** Everything that the ledger states about the chain, collected in one pass. */
export class LedgerSide {
  readonly treasuries: NamedTreasury[] = [];
  /** By signature and token account. */
  readonly deposits = new Map<string, LedgerDeposit>();
  /** By signature. */
  readonly attempts = new Map<string, LedgerAttempt>();
  readonly anchors = new Map<string, LedgerAnchor>();
  /** Roots of the seals, from seal 1 on. */
  readonly roots: string[] = [];
  readonly observations: LedgerObservation[] = [];
  /** By wallet, when it registered. */
  private readonly registeredMs = new Map<string, number>();
  /** The largest bound of dust that was ever in force. */
  dustBelowMinor = 0n;
  private readonly requested = new Map<string, WithdrawalRequested['data']>();

  next({ event, position, owner, time }: AuditedEvent): void {
    switch (event.type) {
      case 'ConfigChanged': {
        const { contract: mint, projectWallet: wallet } = event.data.after.token;
        const { dustBelowTokenMinor = 0n } = event.data.after.deposit;
        if (dustBelowTokenMinor > this.dustBelowMinor) this.dustBelowMinor = dustBelowTokenMinor;
        const last = this.treasuries.at(-1);
        if (mint === null || wallet === null) return;
        if (last?.mint !== mint || last.wallet !== wallet) {
          this.treasuries.push({ position, mint, wallet });
        }
        return;
      }
      case 'DepositCredited':
        if (event.data.from === 'chain')
          this.deposit(event.data, position, { creditedTo: owner, queued: null });
        return;
      case 'UnmatchedDepositSeen':
        this.deposit(event.data, position, { creditedTo: null, queued: event.data });
        return;
      case 'DustReceived': {
        const { tokenAccount, transfers } = event.data;
        for (const transfer of transfers) {
          const whose = { creditedTo: null, queued: null };
          this.deposit({ ...transfer, tokenAccount }, position, whose);
        }
        return;
      }
      case 'PlayerRegistered':
        this.registeredMs.set(owner, Date.parse(time));
        return;
      case 'WithdrawalRequested':
        this.requested.set(event.data.withdrawal, event.data);
        return;
      case 'WithdrawalSigned': {
        const { signature, withdrawal } = event.data;
        const { to = '', netMinor = 0n } = this.requested.get(withdrawal) ?? {};
        const attempt = { signature, withdrawal, to, netMinor, position, slot: null };
        this.attempts.set(signature, { ...attempt, state: 'open' });
        return;
      }
      case 'WithdrawalAttemptFailed':
        this.end(event.data.signature, { position, state: event.data.outcome, slot: null });
        return;
      case 'WithdrawalFinalized':
        this.end(event.data.signature, { position, state: 'paid', slot: event.data.slot });
        this.requested.delete(event.data.withdrawal);
        return;
      case 'WithdrawalReleased':
        this.requested.delete(event.data.withdrawal);
        return;
      case 'LedgerSealed':
        this.roots.push(event.data.root);
        return;
      case 'SealAnchored':
        this.anchors.set(event.data.signature, { position, data: event.data });
        return;
      case 'TreasuryObserved': {
        const { tokenMinor, slot = null } = event.data;
        this.observations.push({ position, slot, tokenMinor });
        return;
      }
      default:
        return;
    }
  }

  /** Whether the wallet was a player's an hour before a time. */
  wasPlayer(wallet: string | null, atMs: number): boolean {
    const registeredMs = wallet === null ? undefined : this.registeredMs.get(wallet);
    return registeredMs !== undefined && registeredMs <= atMs - HOUR_MS;
  }

  private deposit(
    data: Pick<LedgerDeposit, 'signature' | 'tokenAccount' | 'slot' | 'amountMinor'>,
    position: number,
    whose: Pick<LedgerDeposit, 'creditedTo' | 'queued'>,
  ): void {
    const { signature, tokenAccount, slot, amountMinor } = data;
    const deposit = { position, signature, tokenAccount, slot, amountMinor, ...whose };
    this.deposits.set(depositKey(deposit), deposit);
  }

  private end(
    signature: string,
    options: Pick<LedgerAttempt, 'position' | 'state' | 'slot'>,
  ): void {
    const attempt = this.attempts.get(signature);
    if (attempt) this.attempts.set(signature, { ...attempt, ...options });
  }
}

export function depositKey({
  signature,
  tokenAccount,
}: Pick<LedgerDeposit, 'signature' | 'tokenAccount'>): string {
  return `${signature} ${tokenAccount}`;
}
