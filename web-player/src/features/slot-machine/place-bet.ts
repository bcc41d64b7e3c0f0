import { ApiError } from '@reelbook/contract/client';
import type { BetResult } from '@reelbook/contract/player/slot';
import { api } from '../../lib/api.ts';
import { NoOwnSeed, type SeedFault } from '../../lib/own-seed.ts';
import type { PendingBet } from '../../lib/pending-commands.ts';
import { refusalText } from '../../lib/refusal-text.ts';

const LINES = 25;

/** Sends the bet once. Throws ApiError; `isUnconfirmed` shows whether it may have been placed. */
export function sendBet({ bet, key }: PendingBet): Promise<BetResult> {
  return api.call('slotBet', { body: { bet_amount: bet, lines: LINES }, idempotencyKey: key });
}

/** The text of a refused bet, with its figures. */
export type BetFault =
  | { key: 'slot.error.insufficient' }
  | { key: 'slot.error.minimum'; count: number }
  | { key: 'slot.error.maximum'; max: number }
  | { key: `ownSeed.${SeedFault}` }
  | { key: 'slot.error.other'; why: string }
  | { key: 'slot.error.unknown' };

const MIN_BET_DEFAULT = 1;
const MAX_BET_DEFAULT = 1000;

/** The specification's phrases, selected by what the server's message contains. */
export function betFault(
  error: unknown,
  config: { min_bet: number; max_bet: number } | undefined,
): BetFault {
  if (error instanceof NoOwnSeed) return { key: `ownSeed.${error.fault}` };
  const why = error instanceof ApiError && error.code !== 0 ? error.message : '';
  const text = why.toLowerCase();
  if (text.includes('insufficient points balance')) return { key: 'slot.error.insufficient' };
  if (text.includes('bet amount below minimum')) {
    return { key: 'slot.error.minimum', count: config?.min_bet ?? MIN_BET_DEFAULT };
  }
  if (text.includes('bet amount exceeds maximum')) {
    return { key: 'slot.error.maximum', max: config?.max_bet ?? MAX_BET_DEFAULT };
  }
  if (why === '') return { key: 'slot.error.unknown' };
  return { key: 'slot.error.other', why: refusalText(error) };
}
