import { measureSolvency } from '@reelbook/payments/metrics';
import { BSM, startPayingSite } from '@reelbook/simulator/stages/paying-site';
import { expect, test } from 'vitest';
import { measureCashier } from './metrics.ts';

test('metrics show exact liabilities, holds and assets, and no old figure while the chain is unavailable', async () => {
  const bank = await startPayingSite();
  try {
    const { pool } = bank.site;
    const { chain } = bank.chain;
    const cashier = await bank.startCashier();
    const registry = measureCashier({ ...cashier, pool, chain });
    measureSolvency(registry, pool);
    const read = async () => {
      const lines = (await registry.metrics()).split('\n');
      const found = lines.map((line) =>
        /^(reelbook_\w+)\{(?:\w+="([^"]+)",?)?.*\} (\S+)$/.exec(line),
      );
      return Object.fromEntries(
        found.flatMap((one) => (one ? [[`${one[1]} ${one[2]}`, Number(one[3])]] : [])),
      );
    };
    const ann = await bank.player(3_000n * BSM);
    await bank.credit(ann, 3_000n * BSM);
    // Above the automatic bound: it waits for operators.
    const body = { amount: 2_000.000000001, to_address: ann.wallet.address };
    expect((await ann.call('/transaction/withdraw', { body })).status).toBe(200);
    await bank.until(async () =>
      expect(await read()).toMatchObject({
        'reelbook_token_balance players': 999.999999999,
        'reelbook_token_balance held': 1_900,
        'reelbook_token_balance fees': 100.000000001,
        'reelbook_token_balance liabilities': 2_899.999999999,
        'reelbook_token_balance house': 0,
        'reelbook_token_balance unmatched': 0,
        'reelbook_token_balance on-chain': 1_003_000,
        'reelbook_token_balance in-flight': 0,
        'reelbook_token_balance margin': 1_000_000,
        'reelbook_payment_queue_length requested': 1,
        'reelbook_payment_queue_length on-hold': 0,
        'reelbook_payment_queue_length unmatched': 0,
        'reelbook_treasury_sol held': 10,
        'reelbook_token_balance stuck': 0,
        'reelbook_waiting_payments withdrawal': 1,
        'reelbook_waiting_payments deposit': 0,
        'reelbook_withdrawals_enabled cashier': 1,
        'reelbook_open_findings cashier': 0,
        'reelbook_cashier_treasury_unexplained cashier': 0,
        'reelbook_cashier_unlisted_withdrawals cashier': 0,
      }),
    );
    bank.chain.local.faults.away('first');
    bank.chain.local.faults.away('second');
    expect(await read()).not.toHaveProperty('reelbook_treasury_sol held');
    const scanAge = async () => (await read())['reelbook_cashier_scan_age_seconds cashier'];
    await bank.until(async () => expect(await scanAge()).toBeGreaterThan(2));
    bank.chain.local.faults.clear();
    await bank.until(async () => expect(await scanAge()).toBeLessThan(2));
  } finally {
    bank.chain.local.faults.clear();
    await bank.close();
  }
});
