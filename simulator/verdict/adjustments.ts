import { playerStream } from '@reelbook/ledger/streams';
import type { Journal } from '../client/journal.ts';
import type { Command } from './spins.ts';

/** Each adjustment of the ledger was sent by the operator, and is there once; examineOrder finds each acknowledged one. */
export function examineAdjustments(
  commands: readonly Command[],
  journals: readonly Journal[],
): readonly string[] {
  const sent = new Set<string>();
  const made = new Map<string, number>();
  const faults: string[] = [];
  for (const { wallet, adjustments } of journals) {
    for (const reason of adjustments) sent.add(`${playerStream(wallet)}: ${reason}`);
  }
  for (const { stream, event } of commands.flat()) {
    if (event.type !== 'BalanceAdjusted') continue;
    const name = `${stream}: ${event.data.reason}`;
    made.set(name, (made.get(name) ?? 0) + 1);
    if (!sent.has(name)) faults.push(`${name} was sent by no operator`);
  }
  for (const [name, count] of made) if (count > 1) faults.push(`${name} is there ${count} times`);
  return faults;
}
