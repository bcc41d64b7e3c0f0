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
export function roundIdOf({ extra_data }: { extra_data: string }): string | null {
  try {
    const extra: unknown = JSON.parse(extra_data);
    if (typeof extra !== 'object' || extra === null || !('round_id' in extra)) return null;
    return typeof extra.round_id === 'string' ? extra.round_id : null;
  } catch {
    return null;
  }
}
