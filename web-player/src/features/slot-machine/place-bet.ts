import { ApiError } from '@reelbook/contract/client';
import type { BetResult } from '@reelbook/contract/player/games';
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

/** The specification's phrases, selected by the code of the refusal, with its figures: those of the page may be older. */
export function betFault(error: unknown): BetFault {
  if (error instanceof NoOwnSeed) return { key: `ownSeed.${error.fault}` };
  if (!(error instanceof ApiError) || error.code === 0) return { key: 'slot.error.unknown' };
  switch (error.data?.error) {
    case 'insufficient-points':
      return { key: 'slot.error.insufficient' };
    case 'bet-below-minimum':
      return { key: 'slot.error.minimum', count: Number(error.data.min_stake ?? MIN_BET_DEFAULT) };
    case 'bet-above-maximum':
      return { key: 'slot.error.maximum', max: Number(error.data.max_stake ?? MAX_BET_DEFAULT) };
    default: {
      const why = refusalText(error);
      return why === '' ? { key: 'slot.error.unknown' } : { key: 'slot.error.other', why };
    }
  }
}
