import type { SlotConfig } from '@reelbook/contract/schemas/slot';
import { deviceStorage } from '@reelbook/web/storage';
import { useState } from 'react';
import { BET_DEFAULT, type BetLimits, betLimits, clampBet } from './bet.ts';

const BET_KEY = 'slot_bet';
const UNKNOWN_LIMITS: BetLimits = { min: 1, max: BET_DEFAULT };

export interface Bet {
  amount: number;
  limits: BetLimits;
  choose(amount: number): void;
}

/** The bet that is set: what was chosen last on this device, else the configured minimum. */
export function useBet(config: SlotConfig | undefined, held: number | null): Bet {
  const [chosen, setChosen] = useState(() => Number(deviceStorage.get(BET_KEY)) || null);
  const limits = config ? betLimits(config, held) : UNKNOWN_LIMITS;
  const wanted = chosen ?? config?.min_bet ?? BET_DEFAULT;
  // Only the rules bind what was chosen: with too few points it stays, and the page says what is missing.
  const amount = config ? clampBet(wanted, betLimits(config, null)) : wanted;
  return {
    amount,
    limits,
    choose(next) {
      const bet = clampBet(next, limits);
      setChosen(bet);
      deviceStorage.set(BET_KEY, String(bet));
    },
  };
}
