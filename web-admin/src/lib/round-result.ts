import type { AdminData } from '@reelbook/admin/answers';
import { findGame } from '@reelbook/games/rules';
import type { Outcome } from '@reelbook/ledger/player/events';

type Round = Pick<AdminData<'eventRound'>, 'game' | 'rules' | 'outcome' | 'stake' | 'payout'>;

/** Why a round paid what it did: `two crowns: 3 × the stake`. Null if this build cannot read the outcome. */
export function resultText({ game: id, rules, outcome, stake, payout }: Round): string | null {
  const game = findGame(id);
  if (!game || !outcome || !payout) return null;
  const [stakeMinor, paidMinor] = [BigInt(stake.minor), BigInt(payout.minor)];
  try {
    const row = game.describe(outcome as Outcome);
    if (paidMinor === 0n) return row;
    const isMax = paidMinor === game.odds(rules).maxWinMinor;
    const multiple = Number((paidMinor * 100n) / stakeMinor) / 100;
    return `${row}: ${multiple} × the stake${isMax ? ', the most that the rules pay' : ''}`;
  } catch {
    // An altered event, or the rules of another build.
    return null;
  }
}
