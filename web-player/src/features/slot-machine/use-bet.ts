import type { GameConfig } from '@reelbook/contract/player/public';
import { deviceStorage } from '@reelbook/web/storage';
import { useState } from 'react';
import {
  BET_DEFAULT,
  type BetLimits,
  betLimits,
  clampBet,
  readBet,
  type TypedFault,
} from './bet.ts';

const BET_KEY = 'slot_bet';
const UNKNOWN_LIMITS: BetLimits = { min: 1, max: BET_DEFAULT };

export interface Bet {
  amount: number;
  limits: BetLimits;
  /** The text of the field: the amount, or what was typed since. */
  text: string;
  /** Why the typed text cannot be staked; null until `commit` has checked it. */
  fault: TypedFault | null;
  type(text: string): void;
  /** Sets the bet to the typed amount and returns it; null when it cannot be staked. */
  commit(): number | null;
  choose(amount: number): void;
}

/** The current bet: the last choice on this device, else the configured minimum. */
export function useBet(config: GameConfig | undefined, held: number | null, game?: string): Bet {
  const key = game === undefined ? BET_KEY : `${BET_KEY}_${game}`;
  const [chosen, setChosen] = useState(() => Number(deviceStorage.get(key)) || null);
  const [typed, setTyped] = useState<{ text: string; isCommitted: boolean } | null>(null);
  const limits = config ? betLimits(config, held) : UNKNOWN_LIMITS;
  const wanted = chosen ?? config?.min_bet ?? BET_DEFAULT;
  // The choice is limited by the rules only: with too few points it stays, and the page shows what is missing.
  const amount = config ? clampBet(wanted, betLimits(config, null)) : wanted;
  const read = typed && config ? readBet(typed.text, config, held) : amount;
  const set = (bet: number) => {
    setTyped(null);
    setChosen(bet);
    deviceStorage.set(key, String(bet));
  };
  return {
    amount,
    limits,
    text: typed?.text ?? String(amount),
    fault: typed?.isCommitted && typeof read !== 'number' ? read : null,
    type: (text) => setTyped({ text, isCommitted: false }),
    commit() {
      if (!typed) return amount;
      if (typeof read !== 'number') {
        setTyped({ ...typed, isCommitted: true });
        return null;
      }
      set(read);
      return read;
    },
    choose: (next) => set(clampBet(next, limits)),
  };
}
