/** From the ledger to the chain: the chain has every deposit, payment and anchor as the ledger has it. */
import { toText } from '@reelbook/ledger/money';
import { tokenAccountOf } from '@reelbook/ledger/player/token-account';
import { anchorMemo } from '@reelbook/ledger/treasury/anchor';
import type { TransferFact } from '@reelbook/solana/transfer-facts';
import type { Treasury } from '@reelbook/solana/verify-transfer';
import type { Findings } from '../findings.ts';
import { isOfOneSender } from '../payments-pass.ts';
import type { LedgerAnchor, LedgerAttempt, LedgerDeposit, LedgerSide } from './ledger-side.ts';

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
    ...{ position, signature, slot, check: 'payments', label: 'the deposit' },
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
    ...{ position, signature, slot: slot ?? 0, check: 'payments', label: 'the payment' },
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
    ...{ position, signature, slot, check: 'anchors', label: 'the transaction of its anchor' },
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
