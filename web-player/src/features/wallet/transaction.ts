import { type DepositFault, isDepositFault } from '@reelbook/ledger/deposit-faults';

const TYPES = [
  'game',
  'bet',
  'win',
  'void',
  'game_win',
  'game_loss',
  'welcome',
  'adjustment',
  'deposit',
  'withdraw',
  'exchange',
] as const;
const STATUSES = [
  'completed',
  'pending',
  'approved',
  'processing',
  'returned',
  'review',
  'failed',
] as const;

/** Text key of the type; `other` for an unknown one. */
export function typeKey(type: string): (typeof TYPES)[number] | 'other' {
  return TYPES.find((one) => one === type) ?? 'other';
}

export function statusKey(status: string): (typeof STATUSES)[number] | 'other' {
  return STATUSES.find((one) => one === status) ?? 'other';
}

/** The round of a transaction, from its JSON text; null for anything else. */
export function roundIdOf(one: { extra_data: string }): string | null {
  const { round_id } = extraOf(one);
  return typeof round_id === 'string' ? round_id : null;
}

/** The id of a deposit or withdrawal, which has a page of its own; null for anything else. */
export function paymentIdOf(one: { type: string; extra_data: string }): string | null {
  const { withdrawal_id, signature } = extraOf(one);
  if (one.type === 'withdraw' && typeof withdrawal_id === 'string') return withdrawal_id;
  return one.type === 'deposit' && typeof signature === 'string' ? signature : null;
}

/** The receiving wallet of a withdrawal; null for anything else. */
export function destinationOf(one: { extra_data: string }): string | null {
  const { to_address } = extraOf(one);
  return typeof to_address === 'string' ? to_address : null;
}

/** Why a reported deposit failed or waits: its code, or the English text of a report that has none. */
export function faultOf(one: {
  extra_data: string;
  status: string;
}): { code: DepositFault } | { text: string } | null {
  const { fault, reason } = extraOf(one);
  if (one.status !== 'failed' && fault !== 'unconfirmed') return null;
  if (isDepositFault(fault)) return { code: fault };
  return typeof reason === 'string' ? { text: reason } : null;
}

function extraOf({ extra_data }: { extra_data: string }): Readonly<Record<string, unknown>> {
  try {
    const extra: unknown = JSON.parse(extra_data);
    return typeof extra === 'object' && extra !== null ? { ...extra } : {};
  } catch {
    return {};
  }
}
