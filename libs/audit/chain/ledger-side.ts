import { HOUR_MS } from '@reelbook/ledger/calendar';
import { toText } from '@reelbook/ledger/money';
import { tokenAccountOf } from '@reelbook/ledger/player/payment-bytes';
import type { WithdrawalRequested } from '@reelbook/ledger/player/payment-events';
import { anchorMemo } from '@reelbook/ledger/treasury/anchor';
import type { SealAnchored } from '@reelbook/ledger/treasury/events';
import { readWallet } from '@reelbook/solana/signature';
import type { TransferFact, Treasury } from '@reelbook/solana/verify-transfer';
import type { Findings } from '../findings.ts';
import { isOfOneSender } from '../payments-pass.ts';
import type { Restore } from '../restores.ts';
import type { AuditedEvent } from '../terms-pass.ts';

/** A mint and a wallet that a configuration of the ledger has. */
export interface NamedTreasury {
  readonly position: number;
  readonly mint: string;
  readonly wallet: string;
}

interface LedgerDeposit {
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
interface LedgerAttempt {
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

interface LedgerAnchor {
  readonly position: number;
  readonly data: SealAnchored['data'];
}

interface LedgerObservation {
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
  /** Roots of the seals, from seal 1 on, and the positions of their events. */
  readonly roots: string[] = [];
  private readonly sealedAt: number[] = [];
  readonly restores: Restore[] = [];
  readonly observations: LedgerObservation[] = [];
  /** By wallet, when it registered. */
  private readonly registeredMs = new Map<string, number>();
  /** The largest bound of dust that was ever in force. */
  dustBelowMinor = 0n;
  private readonly requested = new Map<string, WithdrawalRequested['data']>();

  next({ event, position, owner, time, actor }: AuditedEvent): void {
    switch (event.type) {
      case 'ConfigChanged': {
        const { contract: mint, projectWallet: wallet } = event.data.after.token;
        const { dustBelowTokenMinor = 0n } = event.data.after.deposit;
        if (dustBelowTokenMinor > this.dustBelowMinor) this.dustBelowMinor = dustBelowTokenMinor;
        const last = this.treasuries.at(-1);
        // A forged one may have no addresses.
        if (mint === null || wallet === null || !readWallet(mint) || !readWallet(wallet)) return;
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
        this.sealedAt.push(position);
        return;
      case 'LedgerRestored': {
        const { data } = event;
        const isKept = (at: number) => at <= data.position;
        const slots = this.observations.map((one) => (isKept(one.position) ? (one.slot ?? 0) : 0));
        const slot = slots.reduce((a, b) => Math.max(a, b), 0);
        const seals = this.sealedAt.filter(isKept).length;
        this.restores.push({ position, actor, data, seals, slot });
        return;
      }
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

/** From the ledger to the chain: the chain has every deposit, payment and anchor as the ledger has it. */

/** A transaction of the ledger: how to find it on the chain, and how to check it. */
export interface LedgerTransaction {
  readonly position: number;
  readonly signature: string;
  readonly slot: number;
  readonly check: 'payments' | 'anchors';
  /** Its name in messages. */
  readonly label: string;
  /** The difference of the transaction on the chain; null when there is none. */
  fault(fact: TransferFact, treasury: Treasury): string | null;
}

export const bsm = (minor: bigint) => toText('token', minor);

/** All transactions of the ledger that must be on the chain, newest first. */
export function ledgerTransactions(ledger: LedgerSide): readonly LedgerTransaction[] {
  const paid = [...ledger.attempts.values()].filter(({ state }) => state === 'paid');
  return [
    ...[...ledger.deposits.values()].map((one) => ofDeposit(one, ledger)),
    ...paid.map(ofPayment),
    ...[...ledger.anchors.values()].map(ofAnchor),
  ].sort((a, b) => b.position - a.position);
}

function ofDeposit(deposit: LedgerDeposit, ledger: LedgerSide): LedgerTransaction {
  const { position, signature, slot, amountMinor, tokenAccount, creditedTo, queued } = deposit;
  return {
    position,
    signature,
    slot,
    check: 'payments',
    label: 'the deposit',
    fault(fact, treasury) {
      if (tokenAccount !== treasury.tokenAccount) return 'it did not arrive in a treasury account';
      const arrivedMinor = fact.afterMinor - fact.beforeMinor;
      if (arrivedMinor !== amountMinor) {
        return `it brought ${bsm(arrivedMinor)}; the ledger has ${bsm(amountMinor)}`;
      }
      if (creditedTo !== null && fact.sender !== creditedTo) {
        return `it came from ${fact.sender ?? 'no single wallet'}, not from ${creditedTo}`;
      }
      const isKept = creditedTo === null && queued === null;
      if (isKept && ledger.wasPlayer(fact.sender, (fact.timeS ?? 0) * 1_000)) {
        return `it came from the player ${fact.sender}; the ledger has it as dust`;
      }
      const isOwned = queued?.sender === fact.sender && isOfOneSender(queued?.reason ?? '');
      if (queued && fact.sender !== null && !isOwned) {
        return `it came from ${fact.sender}; the ledger has it as unattributed: ${queued.reason}`;
      }
      return null;
    },
  };
}

function ofPayment(attempt: LedgerAttempt): LedgerTransaction {
  const { position, signature, slot } = attempt;
  return {
    position,
    signature,
    slot: slot ?? 0,
    check: 'payments',
    label: 'the payment',
    fault: (fact, treasury) => paymentFault(attempt, fact, treasury),
  };
}

/** How a payment that landed differs from its withdrawal. */
export function paymentFault(
  { withdrawal, to, netMinor }: Pick<LedgerAttempt, 'withdrawal' | 'to' | 'netMinor'>,
  fact: TransferFact,
  treasury: Treasury,
): string | null {
  if (!fact.signed) return 'the treasury did not sign it';
  const paidMinor = fact.beforeMinor - fact.afterMinor;
  if (paidMinor !== netMinor) return `it paid ${bsm(paidMinor)}; the ledger has ${bsm(netMinor)}`;
  // The token account: its owner may have given it to another wallet. Facts stored before 2026-11-26 have the owners.
  const account = tokenAccountOf(to, treasury);
  if (!fact.receivers.every((one) => one === account || one === to)) {
    return `it paid ${fact.receivers.join(', ')}, not ${account}, the token account of ${to}`;
  }
  return fact.memos.includes(withdrawal) ? null : `its memo does not name ${withdrawal}`;
}

function ofAnchor({ position, data }: LedgerAnchor): LedgerTransaction {
  const { signature, slot } = data;
  return {
    position,
    signature,
    slot,
    check: 'anchors',
    label: 'the transaction of its anchor',
    fault(fact, treasury) {
      if (!fact.signed || treasury.wallet !== data.wallet) return 'the treasury did not sign it';
      return fact.memos.includes(anchorMemo(data)) ? null : 'its memo on the chain differs';
    },
  };
}

/** Compares one with the chain; a fault is a finding. */
export function compareTransaction(
  named: LedgerTransaction,
  { fact, treasury }: { readonly fact: TransferFact; readonly treasury: Treasury },
  findings: Findings,
): void {
  const fault =
    (fact.error !== null && 'it failed on the chain') ||
    (fact.slot !== named.slot && `it is in slot ${fact.slot}, not ${named.slot}`) ||
    named.fault(fact, treasury);
  if (fault)
    findings.add(named.check, named.position, `${named.label} ${named.signature}: ${fault}`);
}
