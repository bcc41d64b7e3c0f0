/** What follows for a player from one answer to the next. */
import type { Seeds } from '@reelbook/contract/player/fairness';
import type { BetResult } from '@reelbook/contract/player/games';
import { toMinor } from '@reelbook/ledger/money';
import type { Spin } from './journal.ts';

/** Whether an answer leaves what the stake and the win make of the points before. */
export function follows({ betAmount }: Spin, before: number, answer: BetResult): boolean {
  const [had, has, won, staked] = [before, answer.points_balance, answer.total_win, betAmount].map(
    (points) => toMinor('points', points) ?? 0n,
  ) as [bigint, bigint, bigint, bigint];
  return has === had - staked + won;
}

/** What a rotation should have revealed and made active, by the seeds before it. */
export function brokenPromises(before: Seeds, after: Seeds): readonly string[] {
  const isRevealed = after.revealed[0]?.server_seed_hash === before.active.server_seed_hash;
  const isNext = after.active.server_seed_hash === before.next.server_seed_hash;
  return [
    ...(isRevealed ? [] : ['the revealed seed is not the one that was active']),
    ...(isNext ? [] : ['the active seed is not the one that was promised']),
  ];
}
