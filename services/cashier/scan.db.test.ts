import { readMovement } from '@reelbook/payments/movements';
import { openLog } from '@reelbook/runtime/log';
import { BSM, type PayingSite, startPayingSite } from '@reelbook/simulator/stages/paying-site';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Scanner, scan, type Walk } from './scan.ts';

/** 5 signatures per page; 3 pages and 4 transactions per round. */
const BOUNDS = { pageSize: 5, pages: 3, signatures: 4 };
const SPAM = 30;
const ROUNDS_MAX = 60;
/** After this another cashier takes over without a walk. */
const TAKEOVER_AT = 11;

let bank: PayingSite;
beforeAll(async () => {
  bank = await startPayingSite();
});
afterAll(() => bank.close());

test('more transactions than one round lists are processed from the cursor without delaying payments', async () => {
  const { pool } = bank.site;
  const { chain, local } = bank.chain;
  const terms = await chain.terms();
  const cashier: Scanner = {
    ...{ pool, chain, terms },
    ...{ log: openLog({ name: 'cashier', level: 'silent' }), hold: async () => {}, at: () => {} },
  };
  const round = (walk: Walk) => scan(cashier, walk, BOUNDS);
  const spam = async () => {
    for (let n = 0; n < SPAM; n++)
      await local.airdrop(terms.tokenAccount, BigInt(n + 1) * 1_000_000n);
  };
  const ann = await bank.player(100n * BSM);
  const first = await bank.deposit(ann, 3n * BSM);
  await spam();
  const second = await bank.deposit(ann, 4n * BSM);
  await spam();
  bank.chain.finalize();
  let walk: Walk = { marks: [] };
  let rounds = 0;
  for (; rounds < ROUNDS_MAX; rounds++) {
    if (rounds === TAKEOVER_AT) walk = { marks: [] };
    if (await round(walk)) break;
  }
  expect(rounds).toBeGreaterThan((2 * SPAM) / BOUNDS.signatures);
  expect(rounds).toBeLessThan(ROUNDS_MAX);
  for (const [signature, deltaMinor] of [
    [first, 3n * BSM],
    [second, 4n * BSM],
  ] as const) {
    expect(await readMovement(pool, signature)).toMatchObject({ kind: 'deposit', deltaMinor });
  }
  expect(await round({ marks: [] })).not.toBeNull();
});
