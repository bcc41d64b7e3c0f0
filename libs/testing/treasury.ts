import { startExecutor } from '@reelbook/event-store/execute';
import { TREASURY_STREAM } from '@reelbook/ledger/streams';
import { treasuryDecider } from '@reelbook/ledger/treasury/decide';
import type pg from 'pg';
import { createWallet } from './wallets.ts';

let observations = 0;

/** Lets the treasury be seen to hold so much, in minor units of token: the cover of what players may own. */
export async function observeTreasury(pool: pg.Pool, tokenMinor: bigint): Promise<void> {
  const executor = startExecutor({ pool });
  const executed = await executor.execute({
    decider: treasuryDecider,
    stream: TREASURY_STREAM,
    idempotencyKey: `test:treasury:${observations++}`,
    request: null,
    meta: { correlation: 'test', actor: 'system:standalone' },
    prepare: async () => ({
      command: { type: 'ObserveTreasury' as const, tokenMinor, source: 'a test' },
      configVersion: null,
    }),
  });
  await executor.close();
  if (executed.kind !== 'done') throw new Error(`an observation was ${executed.kind}`);
}

const ENOUGH_TOKEN_MINOR = 1_000_000_000_000_000n;

interface Seller {
  call(path: string, o: { readonly body: object }): Promise<{ status: number; message: string }>;
}

/** Sells so many points of a player for token: to be poor without waiting for luck. */
export async function sellPoints(site: { readonly pool: pg.Pool }, player: Seller, points: number) {
  await observeTreasury(site.pool, ENOUGH_TOKEN_MINOR);
  const { status, message } = await player.call('/transaction/exchange', {
    body: { from_type: 'points', to_type: 'token', amount: points },
  });
  if (status !== 200) throw new Error(`the exchange was answered with ${status}: ${message}`);
}

/** An unmatched deposit, in the ledger and in the working table of the cashier. */
export async function seeUnmatched(pool: pg.Pool, amountMinor: bigint) {
  const signature = createWallet().address + createWallet().address;
  const deposit = { signature, tokenAccount: createWallet().address, amountMinor };
  const seen = { slot: 1, sender: null, reason: 'no-source' } as const;
  const executor = startExecutor({ pool });
  const executed = await executor.execute({
    decider: treasuryDecider,
    stream: TREASURY_STREAM,
    idempotencyKey: `deposit:${signature}:${deposit.tokenAccount}`,
    request: null,
    meta: { correlation: 'test', actor: 'system:cashier' },
    prepare: async () => ({
      command: { type: 'SeeUnmatchedDeposit' as const, ...deposit, ...seen },
      configVersion: null,
    }),
  });
  await executor.close();
  if (executed.kind !== 'done') throw new Error(`an unmatched deposit was ${executed.kind}`);
  await pool.query(
    `insert into treasury_scans (token_account, opening_balance, opening_slot, reached_slot)
      values ($1, 0, 0, 0)`,
    [deposit.tokenAccount],
  );
  await pool.query(
    `insert into treasury_movements (token_account, signature, slot, delta, kind, reason, recorded)
      values ($1, $2, $3, $4, 'unmatched', $5, true)`,
    [deposit.tokenAccount, signature, seen.slot, amountMinor.toString(), seen.reason],
  );
  return deposit;
}
