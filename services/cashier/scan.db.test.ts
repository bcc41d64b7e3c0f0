import { randomBytes } from 'node:crypto';
import { readMovement } from '@reelbook/payments/movements';
import { openLog } from '@reelbook/runtime/log';
import { BSM, type PayingSite, startPayingSite } from '@reelbook/simulator/stages/paying-site';
import { WAIT } from '@reelbook/testing/wait';
import bs58 from 'bs58';
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

async function scannerOf(chain: Scanner['chain']): Promise<Scanner> {
  const [terms, log] = [await chain.terms(), openLog({ name: 'cashier', level: 'silent' })];
  return { pool: bank.site.pool, chain, terms, log, hold: async () => {}, at: () => {} };
}

test('more transactions than one round lists are processed from the cursor without delaying payments', async () => {
  const { pool } = bank.site;
  const { chain, local } = bank.chain;
  const terms = await chain.terms();
  const cashier = await scannerOf(chain);
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

test('a list that never ends is that of a bad node, and another one is asked', async () => {
  const { chain } = bank.chain;
  let [bad, pages] = [true, 0];
  const cashier = await scannerOf({
    ...chain,
    turn: () => {
      bad = !bad;
    },
    signatures: (page) => {
      if (!bad) return chain.signatures(page);
      const slot = 10 ** 9 - ++pages;
      const signatures = Array.from({ length: page.limit }, () => bs58.encode(randomBytes(64)));
      return Promise.resolve(
        signatures.map((signature) => ({ signature, slot, failed: false, timeS: null })),
      );
    },
  });
  const walk: Walk = { marks: [] };
  const bounds = { ...BOUNDS, pages: 100 };
  await expect(
    (async () => {
      while (bad) expect(await scan(cashier, walk, bounds)).toBeNull();
    })(),
  ).rejects.toThrow('more than 500 pages');
  expect(walk.marks).toEqual([]);
  const ann = await bank.player(100n * BSM);
  const signature = await bank.deposit(ann, 3n * BSM);
  await expect.poll(() => scan(cashier, walk, bounds), WAIT).not.toBeNull();
  expect(await readMovement(bank.site.pool, signature)).toMatchObject({ kind: 'deposit' });
});
