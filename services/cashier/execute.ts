import { StateDiffers } from '@reelbook/event-store/read-stream';
import { canonical } from '@reelbook/ledger/codec';
import type { LedgerEvent } from '@reelbook/ledger/decider';
import { playerDecider } from '@reelbook/ledger/player/decide';
import type { PlayerEvent } from '@reelbook/ledger/player/events';
import type { PaymentCommand } from '@reelbook/ledger/player/payment-commands';
import type { PlayerState } from '@reelbook/ledger/player/state';
import { type OpenWithdrawal, openOf } from '@reelbook/ledger/player/withdrawals';
import type { Rejection } from '@reelbook/ledger/rejections';
import { playerStream } from '@reelbook/ledger/streams';
import type { QueuedWithdrawal } from '@reelbook/projections/withdrawals/queue';
import { type Cashier, metaOf } from './context.ts';

/** An open withdrawal as the events have it. */
export interface Due extends OpenWithdrawal {
  readonly wallet: string;
}

/** Null if it is over: the read model that found it lags. */
export async function readDue(
  { prove }: Pick<Cashier, 'prove'>,
  { wallet, withdrawal }: Pick<QueuedWithdrawal, 'wallet' | 'withdrawal'>,
): Promise<Due | null> {
  const { state } = await prove(playerDecider, playerStream(wallet));
  const open = openOf(state, withdrawal);
  return open && { ...open, wallet };
}

/** A state in memory is older than the stored one after any append of another process. */
const ATTEMPTS_MAX = 3;

/**
 * Decides a command on a state that is proven by the events. A refusal means that another decision was first; the next round
 * reads it again. Throws `StateDiffers`.
 */
export async function execute(
  { executor, prove }: Cashier,
  { wallet, withdrawal }: Due,
  o: {
    readonly idempotencyKey: string;
    readonly request: unknown;
    prepare(
      state: PlayerState,
    ): Promise<{ command: PaymentCommand; configVersion: number | null } | Rejection>;
  },
) {
  const stream = playerStream(wallet);
  const execution = {
    ...{ ...o, decider: playerDecider, stream, meta: metaOf(withdrawal) },
    async prepare(state: PlayerState) {
      const proven = await prove(playerDecider, stream);
      const same = canonical(state) === canonical(proven.state);
      if (!same) throw new StateDiffers(stream, 'in memory');
      return o.prepare(state);
    },
  };
  for (let attempt = 1; ; attempt++) {
    try {
      return await executor.execute<PlayerState, PaymentCommand, PlayerEvent & LedgerEvent>(
        execution,
      );
    } catch (error) {
      // The executor has dropped the state that it had in memory.
      if (!(error instanceof StateDiffers) || attempt === ATTEMPTS_MAX) throw error;
    }
  }
}
