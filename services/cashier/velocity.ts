import type { Config } from '@reelbook/ledger/config/config';
import type { HoldCode } from '@reelbook/ledger/holds';
import {
  readVelocity,
  type Velocity,
  type Withdrawal,
} from '@reelbook/projections/withdrawals/read';
import type { Cashier } from './context.ts';

/** An automatic approval and the position of its event. */
export interface Approved {
  readonly position: number;
  readonly wallet: string;
  readonly grossMinor: bigint;
}

interface Approvals {
  readonly beganAt: number;
  approved: readonly Approved[];
}

type OverVelocity = Extract<HoldCode, `${string}-used`> | 'sums-behind';

/** The bound that an automatic approval would exceed; null for none. */
export async function overVelocity(
  cashier: Pick<Cashier, 'pool'>,
  { wallet, netMinor, feeMinor }: Withdrawal,
  { config: { withdraw }, memory }: { readonly config: Config; readonly memory: Approvals },
): Promise<OverVelocity | null> {
  const velocity = await velocityOf(cashier, wallet, memory);
  if (!velocity) return 'sums-behind';
  const gross = netMinor + feeMinor;
  if (velocity.playerHourCount >= withdraw.playerHourMaxCount) return 'player-count-used';
  if (velocity.playerHourMinor + gross > withdraw.playerHourMaxTokenMinor)
    return 'player-hour-used';
  if (velocity.playerDayMinor + gross > withdraw.playerDayMaxTokenMinor) return 'player-day-used';
  if (velocity.hourMinor + gross > withdraw.hourMaxTokenMinor) return 'hour-used';
  return velocity.dayMinor + gross > withdraw.dayMaxTokenMinor ? 'day-used' : null;
}

/** The read model's sums plus later approvals; null while the read model may lack older approvals. */
async function velocityOf(
  { pool }: Pick<Cashier, 'pool'>,
  wallet: string,
  memory: Approvals,
): Promise<Velocity | null> {
  const shown = await readVelocity(pool, wallet);
  if (shown.reached < memory.beganAt) return null;
  memory.approved = memory.approved.filter(({ position }) => position > shown.reached);
  const sum = (of: Approvals['approved']) =>
    of.reduce((minor, { grossMinor }) => minor + grossMinor, 0n);
  const own = memory.approved.filter((one) => one.wallet === wallet);
  const [all, ownMinor] = [sum(memory.approved), sum(own)];
  return {
    reached: shown.reached,
    hourMinor: shown.hourMinor + all,
    dayMinor: shown.dayMinor + all,
    playerHourMinor: shown.playerHourMinor + ownMinor,
    playerDayMinor: shown.playerDayMinor + ownMinor,
    playerHourCount: shown.playerHourCount + own.length,
  };
}
