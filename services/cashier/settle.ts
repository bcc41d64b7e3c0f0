import { openClock } from '@reelbook/event-store/clock';
import { readEvent } from '@reelbook/event-store/read-log';
import { assert } from '@reelbook/ledger/assert';
import { playerDecider } from '@reelbook/ledger/player/decide';
import { playerStream, TREASURY_STREAM } from '@reelbook/ledger/streams';
import { treasuryDecider } from '@reelbook/ledger/treasury/decide';
import {
  depositKey,
  type Movement,
  markSettled,
  readMatchable,
  readResolved,
  readUnrecorded,
} from '@reelbook/payments/movements';
import { settleReport } from '@reelbook/payments/reports';
import { resolveMovement } from '@reelbook/payments/review';
import { ACTOR, type Cashier, metaOf } from './context.ts';

/** Movements of one round. */
const PER_ROUND = 100;

/** Records each movement in the ledger, once by its idempotency key. */
export async function settleMovements(cashier: Cashier): Promise<void> {
  for (const movement of await readUnrecorded(cashier.pool, PER_ROUND)) {
    await cashier.hold();
    try {
      await settle(cashier, movement);
    } catch (error) {
      // A failure must not block the other movements; the next round retries it.
      const { signature } = movement;
      cashier.log.error({ err: error, signature }, 'a movement could not be recorded');
    }
  }
}

async function settle(cashier: Cashier, movement: Movement): Promise<void> {
  if (movement.kind === 'deposit') await credit(cashier, movement);
  else await queue(cashier, movement);
  await cashier.at('movement-appended');
  await markSettled(cashier.pool, movement);
  await cashier.at('movement-recorded');
}

async function credit(cashier: Cashier, movement: Movement): Promise<void> {
  const { sender } = movement;
  assert(sender, 'a deposit has a sender');
  await creditTo(cashier, movement, { wallet: sender, from: 'chain' });
}

async function creditTo(
  { executor, pool, log }: Cashier,
  movement: Movement,
  o: { readonly wallet: string; readonly from: 'chain' | 'unmatched' },
): Promise<void> {
  const { signature, tokenAccount, slot, deltaMinor: amountMinor } = movement;
  const { wallet, from } = o;
  const executed = await executor.execute({
    decider: playerDecider,
    stream: playerStream(wallet),
    idempotencyKey:
      from === 'chain' ? depositKey(movement) : `resolved:${signature}:${tokenAccount}`,
    request: { signature, wallet },
    meta: metaOf(signature),
    prepare: async () => ({
      command: {
        type: 'CreditDeposit' as const,
        ...{ signature, tokenAccount, slot, amountMinor, from },
        nowMs: await openClock(pool).agreedMs(),
      },
      configVersion: null,
    }),
  });
  assert(executed.kind === 'done', `a credit is never refused: ${executed.kind}`);
  if (!executed.replayed)
    log.info({ transaction: signature, position: executed.position }, 'credited');
  await settleReport(pool, { wallet, signature }, { status: 'completed' });
}

async function queue({ executor, log }: Cashier, movement: Movement): Promise<void> {
  const { signature, tokenAccount, slot, deltaMinor: amountMinor, sender } = movement;
  const reason = movement.reason ?? 'unknown';
  const executed = await executor.execute({
    decider: treasuryDecider,
    stream: TREASURY_STREAM,
    idempotencyKey: depositKey(movement),
    request: { signature },
    meta: metaOf(signature),
    prepare: async () => ({
      command: {
        type: 'SeeUnmatchedDeposit' as const,
        ...{ signature, tokenAccount, slot, amountMinor, sender, reason },
      },
      configVersion: null,
    }),
  });
  assert(executed.kind === 'done', `an arrival is never refused: ${executed.kind}`);
  if (!executed.replayed)
    log.warn({ transaction: signature, reason }, 'an unmatched deposit awaits review');
}

/** Resolves deposits whose senders have registered, and credits resolved deposits. */
export async function settleUnmatched(cashier: Cashier): Promise<void> {
  const { pool } = cashier;
  for (const movement of await readMatchable(pool, PER_ROUND)) {
    const to = `player:${movement.sender}`;
    const reason = 'the sender has become a player';
    const act = { by: ACTOR, reason, correlation: movement.signature };
    await resolveMovement(cashier, movement, { to, ...act });
  }
  for (const movement of await readResolved(pool, PER_ROUND)) {
    const resolved = (await readEvent(pool, movement.position))?.event;
    assert(
      resolved?.type === 'UnmatchedDepositResolved',
      'the idempotency key of a resolution has its event',
    );
    await cashier.hold();
    const wallet = resolved.data.to.replace(/^player:/, '');
    await creditTo(cashier, movement, { wallet, from: 'unmatched' });
  }
}
