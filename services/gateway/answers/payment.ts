import type { Payment } from '@reelbook/contract/player/wallet';
import type { RecordedEvent } from '@reelbook/ledger/events';
import { toNumber } from '@reelbook/ledger/money';

type Step = Payment['steps'][number];

/** A withdrawal from its events, ascending; null if its request is not among them. */
export function paymentOf(
  events: readonly RecordedEvent[],
  network: string | null,
): Payment | null {
  const requested = events.find(({ event }) => event.type === 'WithdrawalRequested')?.event;
  if (requested?.type !== 'WithdrawalRequested') return null;
  const { withdrawal, to, amountMinor, feeMinor, netMinor, confirmation } = requested.data;
  let progress: Progress = { status: 'pending', signature: null, chain_status: null, reason: null };
  for (const { event } of events) progress = { ...progress, ...progressBy(event) };
  return {
    ...{ id: withdrawal, type: 'withdraw', to_address: to },
    amount: toNumber('token', amountMinor),
    fee: toNumber('token', feeMinor),
    net_amount: toNumber('token', netMinor),
    confirmed_by_wallet: confirmation !== undefined,
    ...progress,
    explorer_url: explorerUrl(network, progress.signature),
    ...{ hold: null, fault: null },
    steps: events.flatMap(stepOf),
  };
}

type Progress = Pick<Payment, 'status' | 'signature' | 'chain_status' | 'reason'>;

function progressBy(event: RecordedEvent['event']): Partial<Progress> {
  switch (event.type) {
    case 'WithdrawalApproved':
      return event.data.approvals < event.data.needed ? {} : { status: 'approved' };
    case 'WithdrawalSigned': {
      const { signature } = event.data;
      return { status: 'processing', chain_status: 'sent', signature };
    }
    case 'WithdrawalAttemptFailed':
      return { status: 'approved', chain_status: null };
    case 'WithdrawalFinalized': {
      const { signature } = event.data;
      return { status: 'completed', chain_status: 'finalized', signature };
    }
    case 'WithdrawalDenied':
      return { reason: event.data.reason };
    case 'WithdrawalReleased':
      return { status: 'returned', chain_status: null, reason: event.data.reason };
    default:
      return {};
  }
}

function stepOf({ event, position, time: at }: RecordedEvent): Step[] {
  const of = (step: Step['step']): Step[] => [{ step, at, position }];
  switch (event.type) {
    case 'WithdrawalRequested':
      return of('requested');
    case 'WithdrawalApproved': {
      const { approvals, needed } = event.data;
      const step = approvals < needed ? 'approval' : 'approved';
      return [{ step, at, position, approvals, needed }];
    }
    case 'WithdrawalDenied':
      return of('denied');
    case 'WithdrawalSigned':
      return of('sent');
    case 'WithdrawalAttemptFailed':
      return of('attempt-failed');
    case 'WithdrawalFinalized':
      return of('final');
    case 'WithdrawalReleased':
      return of('returned');
    default:
      return [];
  }
}

const CLUSTERS: Readonly<Record<string, string>> = {
  'mainnet-beta': '',
  devnet: '?cluster=devnet',
  testnet: '?cluster=testnet',
};

/** The page of a transaction in the block explorer of Solana; null on a local chain, which no explorer shows. */
export function explorerUrl(network: string | null, signature: string | null): string | null {
  const cluster = network !== null && Object.hasOwn(CLUSTERS, network) ? CLUSTERS[network] : null;
  if (cluster === null || cluster === undefined || signature === null) return null;
  return `https://explorer.solana.com/tx/${signature}${cluster}`;
}
