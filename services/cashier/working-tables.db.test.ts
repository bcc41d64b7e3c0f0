/** Rows that the roles of the app and of the projector may change: none hides money, invents some, or lasts unnoticed. */
import { BSM, type PayingSite, startPayingSite } from '@reelbook/simulator/stages/paying-site';
import { type RpcProxy, startRpcProxy } from '@reelbook/testing/rpc-proxy';
import { createTransferInstruction, getAssociatedTokenAddressSync } from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import { afterEach, beforeEach, expect, test } from 'vitest';

let bank: PayingSite;
const proxies: RpcProxy[] = [];
beforeEach(async () => {
  bank = await startPayingSite();
});
afterEach(async () => {
  await bank.close();
  for (const proxy of proxies.splice(0)) proxy.close();
});

const query = (sql: string, values: readonly unknown[] = []) =>
  bank.site.pool.query(sql, [...values]);

test.each([
  ['ahead', 'opening_slot = 1000000000000'],
  ['and balance ahead', 'opening_slot = 1000000000000, opening_balance = 0'],
  ['back', 'opening_slot = 0'],
])('an opening slot moved %s loses no deposit', async (_what, change) => {
  const ann = await bank.player(100n * BSM);
  await bank.startCashier();
  await bank.credit(ann, 9n * BSM);
  await query(`update treasury_scans set ${change}, cursor = null`);
  await bank.deposit(ann, 6n * BSM);
  await bank.until(async () => expect(await bank.balanceMinor(ann)).toBe(15n * BSM));
  await bank.expectIntact();
});

const netDeposits = async () => {
  const { rows } = await query(
    `select body->'data'->>'netDepositsMinor' as net from events
      where type = 'TreasuryObserved' order by position desc limit 1`,
  );
  return rows[0]?.net;
};

const addRow = (delta: bigint, slot: string) =>
  query(
    `insert into treasury_movements
        (token_account, signature, slot, delta, kind, sender, reason, recorded)
      select token_account, $1, ${slot}, $2::numeric,
        case when $2::numeric > 0 then 'deposit' else 'withdrawal' end, 'x', 'x', true
      from treasury_scans`,
    [`made-up-${delta}`, delta.toString()],
  );

test.each([
  [
    'with the opening',
    async () => {
      await query('update treasury_scans set opening_balance = opening_balance + 400000000000');
      await addRow(-400n * BSM, '1');
      await addRow(400n * BSM, '1');
    },
  ],
  [
    'in place of a deposit',
    async () => {
      await query(`delete from treasury_movements where delta > 0`);
      await addRow(500n * BSM, 'reached_slot');
    },
  ],
  [
    'as dust',
    async () => {
      await query('update treasury_movements set delta = delta - 5000000000 where delta > 0');
      await query(
        `insert into treasury_movements (token_account, signature, slot, delta, kind, recorded)
          select token_account, 'dust-' || n, reached_slot, 5000000, 'dust', true
          from treasury_scans, generate_series(1, 1000) as n`,
      );
    },
  ],
] as const)(
  'rows that cancel each other %s make no deposit the money of the house',
  async (_what, change) => {
    await bank.startCashier();
    const ann = await bank.player(1_000n * BSM);
    await bank.credit(ann, 500n * BSM);
    await bank.until(async () => expect(await netDeposits()).toBe(String(500n * BSM)));
    // Otherwise the mark of the credit would correct the row.
    await bank.until(async () => {
      const waiting = 'select from treasury_movements where not recorded';
      expect((await query(waiting)).rowCount).toBe(0);
    });
    await change();
    await bank.deposit(ann, 7n * BSM);
    await bank.until(async () => expect(await bank.balanceMinor(ann)).toBe(507n * BSM));
    await bank.until(async () => expect(await netDeposits()).toBe(String(507n * BSM)));
  },
);

/** A transfer by another holder of the treasury's key. */
async function drain(amountMinor: bigint): Promise<void> {
  const { local, token, treasury } = bank.chain;
  const stranger = await bank.chain.fund(0n);
  const [mint, from, to] = [token.mint, treasury, stranger].map(
    ({ address }) => new PublicKey(address),
  ) as [PublicKey, PublicKey, PublicKey];
  const [source, target] = [from, to].map((owner) => getAssociatedTokenAddressSync(mint, owner));
  if (!source || !target) throw new Error('two accounts');
  await local.run([createTransferInstruction(source, target, from, amountMinor)], [treasury]);
}

test.each([
  [
    'as a part of a payment',
    true,
    [
      `update treasury_movements set delta = delta - 30000000000 where kind = 'withdrawal'`,
      `delete from treasury_movements where kind = 'other'`,
    ],
  ],
  [
    'as a payment',
    true,
    [
      `update treasury_movements as own set kind = 'withdrawal', reason = paid.reason
        from treasury_movements as paid where own.kind = 'other' and paid.kind = 'withdrawal'`,
    ],
  ],
  [
    'after its payments were deleted',
    false,
    [
      'update treasury_movements set delta = delta - 47500000000 where delta > 0',
      `delete from treasury_movements where kind = 'withdrawal'`,
    ],
  ],
  [
    'after its payments were moved to a later slot',
    false,
    [`update treasury_movements set slot = slot + 40 where kind = 'withdrawal'`],
  ],
] as const)(
  'what left without a payment is that of the house %s',
  async (_what, restarts, changes) => {
    const first = await bank.startCashier();
    const ann = await bank.player(1_000n * BSM);
    await bank.credit(ann, 500n * BSM);
    await bank.reaches(await bank.withdraw(ann, 50), 'finalized');
    await drain(30n * BSM);
    const left = 500n * BSM - 47_500_000_000n;
    const isRecorded = async () => {
      const { tokenMinor } = await bank.chain.chain.treasury();
      expect((await bank.solvency()).onChainMinor).toBe(tokenMinor);
    };
    await bank.until(isRecorded);
    expect(await netDeposits()).toBe(String(left));
    if (restarts) await first.close();
    for (const change of changes) await query(change);
    if (restarts) await bank.startCashier();
    bank.chain.local.advance(50);
    await bank.deposit(ann, 7n * BSM);
    await bank.until(isRecorded);
    expect(await netDeposits()).toBe(String(left + 7n * BSM));
  },
);

test('what left is that of the house, also if its row returns after its slot was summed', async () => {
  const first = await bank.startCashier();
  const ann = await bank.player(1_000n * BSM);
  await bank.credit(ann, 500n * BSM);
  await drain(30n * BSM);
  const isRecorded = async () => {
    const { tokenMinor } = await bank.chain.chain.treasury();
    expect((await bank.solvency()).onChainMinor).toBe(tokenMinor);
  };
  await bank.until(isRecorded);
  await first.close();
  const { rows } = await query(
    `delete from treasury_movements as gone where kind = 'other' returning to_json(gone)::text as row`,
  );
  expect(rows.length).toBe(1);
  await bank.startCashier();
  await bank.deposit(ann, 7n * BSM);
  await bank.until(async () => expect(await netDeposits()).toBe(String(507n * BSM)));
  await query(
    `insert into treasury_movements
      select (json_populate_record(null::treasury_movements, $1)).* on conflict do nothing`,
    [rows[0]?.row],
  );
  await bank.deposit(ann, 5n * BSM);
  await bank.until(isRecorded);
  const { rows: observed } = await query(
    `select distinct (body->'data'->>'netDepositsMinor')::int8 / ${BSM} as net from events
      where type = 'TreasuryObserved' order by net`,
  );
  expect(observed.map(({ net }) => Number(net)).filter((net) => net > 0)).toEqual([500, 507, 512]);
});

test('more rows than one round sums delay an observation, and are all in it', async () => {
  await bank.startCashier();
  const ann = await bank.player(1_000n * BSM);
  await bank.credit(ann, 500n * BSM);
  const id = await bank.withdraw(ann, 50);
  await bank.reaches(id, 'finalized');
  const count = 20_001;
  const slot = (await bank.chain.chain.treasury()).slot + 9;
  await query(
    `insert into treasury_movements (token_account, signature, slot, delta, kind, reason, recorded)
      select token_account, 'forged-' || n, $3::int8, -1, 'withdrawal', $2::text, true
      from treasury_scans, generate_series(1, $1::int) as n`,
    [count, id, slot],
  );
  await addRow(BigInt(count), String(slot));
  bank.chain.local.advance(50);
  await bank.deposit(ann, 7n * BSM);
  // Each of them left without a payment.
  const net = 507n * BSM - 47_500_000_000n + BigInt(count);
  await bank.until(async () => expect(await netDeposits()).toBe(String(net)));
  const { rows } = await query(
    `select distinct body->'data'->>'netDepositsMinor' as net from events
      where type = 'TreasuryObserved' and (body->'data'->>'slot')::int8 > $1`,
    [slot],
  );
  expect(rows).toEqual([{ net: String(net) }]);
});

test('an old balance of one node is no later one', async () => {
  const kept = new Map<string, { result?: unknown }>();
  let isOld = false;
  const one = await startRpcProxy(bank.chain.local.url, ({ method, params }, honest) => {
    if (method !== 'getMultipleAccounts') return honest;
    const key = JSON.stringify(params);
    if (!isOld || !kept.has(key)) kept.set(key, kept.get(key) ?? honest);
    return isOld ? (kept.get(key) ?? honest) : honest;
  });
  const two = await startRpcProxy(bank.chain.local.url, (_, honest) => honest);
  proxies.push(one, two);
  const chain = bank.chain.open([one.url, two.url.replace('127.0.0.1', 'localhost')]);
  const cashier = await bank.startCashier({ chain });
  const ann = await bank.player(1_000n * BSM);
  await bank.credit(ann, 500n * BSM);
  const id = await bank.withdraw(ann, 50);
  await bank.reaches(id, 'finalized');
  const paid = 500n * BSM - 47_500_000_000n;
  await bank.until(async () => expect(await netDeposits()).toBe(String(paid)));
  bank.chain.local.advance(2_000);
  await bank.deposit(ann, 1n * BSM);
  await bank.until(async () => expect(await netDeposits()).toBe(String(paid + BSM)));
  isOld = true;
  for (let round = 0; round < 130; round++) await cashier.round();
  const { rows } = await query(
    `select min((body->'data'->>'netDepositsMinor')::numeric) as least from events
      where type = 'TreasuryObserved' and body->'data'->>'netDepositsMinor' is not null`,
  );
  expect(BigInt(rows[0].least)).toBeGreaterThanOrEqual(0n);
  await bank.expectIntact();
});

test.each([
  'due_at = $$infinity$$, attempts = 0',
  'due_at = now() + interval $$1 day$$, attempts = 2147483647',
])('a waiting deposit with %s is credited', async (change) => {
  let isAway = false;
  const target = bank.chain.local.url;
  const one = await startRpcProxy(target, (_, honest) => honest);
  const two = await startRpcProxy(target, ({ method }, honest) => {
    if (isAway && method === 'getTransaction') throw new Error('away');
    return honest;
  });
  proxies.push(one, two);
  const chain = bank.chain.open([one.url, two.url.replace('127.0.0.1', 'localhost')]);
  await bank.startCashier({ chain });
  const ann = await bank.player(2_000n * BSM);
  isAway = true;
  // Above what one provider may report alone.
  const hash = await bank.deposit(ann, 1_500n * BSM);
  await bank.until(async () => {
    const waiting = 'select from treasury_movements where signature = $1 and attempts > 0';
    expect((await query(waiting, [hash])).rowCount).toBe(1);
  });
  await query(`update treasury_movements set ${change} where not recorded`);
  isAway = false;
  await bank.until(async () => expect(await bank.balanceMinor(ann)).toBe(1_500n * BSM));
});

test.each([
  'delete from projections.withdrawals_v1 where withdrawal = $1',
  `update projections.withdrawals_v1 set status = 'finalized' where withdrawal = $1`,
  `update projections.withdrawals_v1 set wallet = 'x' where withdrawal = $1`,
])('a withdrawal is paid after %s', async (sql) => {
  await bank.startCashier({ integrity: async () => null });
  const ann = await bank.player(100n * BSM);
  await bank.credit(ann, 50n * BSM);
  bank.chain.local.faults.dropSends(1_000);
  const id = await bank.withdraw(ann, 5);
  await bank.reaches(id, 'signed');
  await bank.site.database.pool('projector').query(sql, [id]);
  bank.chain.local.faults.clear();
  await bank.until(async () =>
    expect(await bank.chain.chain.walletBalance(ann.wallet.address)).toBe(54_750_000_000n),
  );
});

test.each(['requested', 'signed'] as const)(
  'a %s withdrawal whose row is deleted has its turn after many that wait',
  async (status) => {
    const own = { integrity: async () => null };
    const first = await bank.startCashier(own);
    const ann = await bank.player(500n * BSM);
    await bank.credit(ann, 50n * BSM);
    const others = [];
    for (let n = 0; n < 6; n++) {
      const other = await bank.player(20n * BSM);
      await bank.credit(other, 20n * BSM);
      others.push(other);
    }
    if (status === 'requested') await first.close();
    // More than one round tries. They wait for operators: without a confirmation.
    const { address } = (await bank.player(0n)).wallet;
    for (const other of others) {
      for (let n = 0; n < 9; n++) await bank.withdraw(other, 1, address);
    }
    bank.chain.local.faults.dropSends(1_000);
    const id = await bank.withdraw(ann, 5);
    await bank.reaches(id, status);
    await first.close();
    await bank.site.database.pool('projector').query('delete from projections.withdrawals_v1');
    bank.chain.local.faults.clear();
    const second = await bank.startCashier(own);
    await bank.until(() => expect(second.figures().unlisted).toBe(54));
    expect(await bank.chain.chain.walletBalance(ann.wallet.address)).toBe(454_750_000_000n);
  },
);

test.each(['200000-01-01', '4000-01-01 BC', 'infinity'])(
  'withdrawals are paid with rows of the time %s',
  async (time) => {
    const ann = await bank.player(100n * BSM);
    await bank.startCashier({ integrity: async () => null });
    await bank.credit(ann, 50n * BSM);
    const paid = await bank.withdraw(ann, 5);
    await bank.reaches(paid, 'finalized');
    // More than one round reads.
    await bank.site.database.pool('projector').query(
      `insert into projections.withdrawals_v1
        select (jsonb_populate_record(null::projections.withdrawals_v1, to_jsonb(paid) ||
          jsonb_build_object('withdrawal', 'x' || n, 'wallet', 'w' || n, 'status', 'requested', 'requested_at', $1::text))).*
        from projections.withdrawals_v1 as paid, generate_series(1, 60) as n`,
      [time],
    );
    await bank.reaches(await bank.withdraw(ann, 6), 'finalized');
  },
);
