import type { LedgerEvent } from '@reelbook/ledger/decider';
import { playerDecider } from '@reelbook/ledger/player/decide';
import type { PlayerEvent } from '@reelbook/ledger/player/events';
import type { PaymentCommand } from '@reelbook/ledger/player/payment-commands';
import type { PlayerState } from '@reelbook/ledger/player/state';
import type { Rejection } from '@reelbook/ledger/rejections';
import { playerStream } from '@reelbook/ledger/streams';
import type { Withdrawal } from '@reelbook/projections/withdrawals/read';
import { type Cashier, metaOf } from './context.ts';

/** A refusal means that the read model lags behind the ledger; the next round reads it again. */
export async function execute(
  { executor }: Cashier,
  { wallet, withdrawal }: Withdrawal,
  o: {
    readonly idempotencyKey: string;
    readonly request: unknown;
    prepare(
      state: PlayerState,
    ): Promise<{ command: PaymentCommand; configVersion: number | null } | Rejection>;
  },
) {
  return executor.execute<PlayerState, PaymentCommand, PlayerEvent & LedgerEvent>({
    decider: playerDecider,
    stream: playerStream(wallet),
    meta: metaOf(withdrawal),
    ...o,
  });
}
