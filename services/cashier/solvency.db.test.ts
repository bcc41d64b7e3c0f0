import { playerStream } from '@reelbook/ledger/streams';
import { readStuckMinor } from '@reelbook/payments/metrics';
import { readSolvency } from '@reelbook/payments/solvency';
import { type PaidLedger, startPaidLedger } from '@reelbook/simulator/stages/paid-ledger';
import { BSM } from '@reelbook/simulator/stages/paying-site';
import { runInProcess } from '@reelbook/testing/run-program';
import { rewriteLedger, tamperWith } from '@reelbook/testing/tamper';
import { createWallet } from '@reelbook/testing/wallets';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { reelbook } from '../cli/program.ts';
import { checkSolvency } from './solvency.ts';

let paid: PaidLedger;
beforeAll(async () => {
  paid = await startPaidLedger();
});
afterEach(() => paid.bank.chain.local.faults.clear());
afterAll(() => paid.bank.close());

function check(o: Partial<Parameters<typeof checkSolvency>[1]> = {}) {
  const { site, chain } = paid.bank;
  const wallets = [{ wallet: chain.treasury.address, fromSlot: null }];
  return checkSolvency(site.pool, { urls: chain.local.urls, wallets, isOffline: false, ...o });
}

test('a treasury that covers the liabilities has no faults', async () => {
  expect(await check()).toMatchObject({ faults: [], unproven: [] });
});

test('money in flight is a fault after an hour', async () => {
  const { pool, database } = paid.bank.site;
  // Of the last hour is only the last deposit: its credit took 50 BSM out of flight.
  const stuck = await tamperWith(
    database.pool('owner'),
    (client) =>
      client.query(`update events set recorded_at = recorded_at - interval '2 hours' where position <>
        (select max(position) from events where type = 'DepositCredited')`),
    async () => {
      const now = await readSolvency(pool);
      const of = (bsm: bigint, reached = now.reached) =>
        readStuckMinor(pool, { ...now, reached, inFlightMinor: bsm * BSM });
      const { rows } = await pool.query<{ position: number }>(
        `select max(position) as position from events where type = 'DepositCredited'`,
      );
      // Before the last credit: it is newer than the figures, and not counted.
      const before = await of(-50n, (rows[0]?.position ?? 0) - 1);
      return [...(await Promise.all([0n, 7n, -50n, -57n].map((bsm) => of(bsm)))), before];
    },
  );
  expect(stuck).toEqual([0n, 7n, 0n, -7n, -50n].map((bsm) => bsm * BSM));
});

test('a treasury that is not in the settings is a fault; an unavailable chain is unproven', async () => {
  const other = [{ wallet: createWallet().address, fromSlot: null }];
  expect((await check({ wallets: other })).faults.join()).toContain('not in TREASURY_WALLETS');
  expect((await check({ wallets: null })).unproven).toHaveLength(1);
  expect((await check({ urls: null })).unproven).toEqual(['no SOLANA_RPC_URL is set']);
  expect((await check({ isOffline: true })).unproven).toHaveLength(1);
  for (const node of ['first', 'second'] as const) paid.bank.chain.local.faults.away(node);
  expect((await check()).unproven.join()).toContain('no RPC answered');
});

test('solvency exits with 1 for money in flight that no withdrawal explains', async () => {
  const { site, chain } = paid.bank;
  const run = (environment: Record<string, string> = {}) =>
    runInProcess(reelbook, ['cashier', 'solvency'], {
      DATABASE_URL: site.database.url,
      DATA_DIR: '/nonexistent',
      ...environment,
    });
  const asking = {
    SOLANA_RPC_URL: chain.local.url,
    TOKEN_MINT: chain.token.mint.address,
    TREASURY_WALLET: chain.treasury.address,
  };
  expect(await run(asking)).toMatchObject({ code: 0 });
  expect(await run()).toMatchObject({ code: 3 });
  const owner = site.database.pool('owner');
  const found = await tamperWith(
    owner,
    async (client) => {
      await rewriteLedger(
        client,
        ({ stream }) => stream !== playerStream(paid.bert.wallet.address),
      );
      await client.query(`update events set recorded_at = recorded_at - interval '2 hours'`);
      await keepLines(client);
    },
    () => run(asking),
  );
  expect(found.output).toContain(
    'FAULTY    for more than an hour 12 BSM more has come over the chain',
  );
  expect(found.code).toBe(1);
});

/** Adjusts the read models to the ledger without bert's deposit and payment. */
async function keepLines(client: { query(text: string): Promise<unknown> }): Promise<void> {
  await client.query(
    `update projections.entries_balances_v1 set after = after + 12000000000
      where line = 'chain' and asset = 'token'`,
  );
}
