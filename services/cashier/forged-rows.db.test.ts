/** Someone with the projector's role changes the read models, or the stored states as the owner: nothing else is paid. */
import { auditLedger } from '@reelbook/audit/audit';
import { startExecutor } from '@reelbook/event-store/execute';
import { readHead, readLog } from '@reelbook/event-store/read-log';
import { games } from '@reelbook/games/rules';
import { type Config, defaultConfig } from '@reelbook/ledger/config/config';
import { configDecider } from '@reelbook/ledger/config/decide';
import type { HoldCode } from '@reelbook/ledger/holds';
import { playerDecider } from '@reelbook/ledger/player/decide';
import type { PlayerState } from '@reelbook/ledger/player/state';
import { CONFIG_STREAM, playerStream } from '@reelbook/ledger/streams';
import { readHolds } from '@reelbook/payments/holds';
import { approve, deny, markExpired } from '@reelbook/payments/operator-actions';
import { readWithdrawal } from '@reelbook/projections/withdrawals/projection';
import {
  BSM,
  OPERATORS,
  type PayingSite,
  startPayingSite,
} from '@reelbook/simulator/stages/paying-site';
import type { TestPlayer } from '@reelbook/simulator/stages/site';
import { addOperator } from '@reelbook/testing/operators';
import { paymentBytes } from '@reelbook/testing/payment-bytes';
import { forge } from '@reelbook/testing/tamper';
import { createWallet } from '@reelbook/testing/wallets';
import {
  AuthorityType,
  createSetAuthorityInstruction,
  getAssociatedTokenAddressSync,
} from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { RunningCashier } from './start.ts';

const PAID_MINOR = 4_750_000_000n;

let bank: PayingSite;
let owner: pg.Pool;
let executor: ReturnType<typeof startExecutor>;
let cashier: RunningCashier | null = null;
const thief = createWallet(77).address;
beforeAll(async () => {
  bank = await startPayingSite();
  owner = bank.site.database.pool('owner', 2);
  executor = startExecutor({ pool: bank.site.pool });
  await addOperator(bank.site.pool, thief, 'operator');
});
afterAll(async () => {
  await executor.close();
  await bank.close();
});
afterEach(async () => {
  await owner.query(
    'drop trigger if exists forged on projections.withdrawals_v1; drop function if exists projections.forge',
  );
  bank.chain.local.faults.clear();
  await cashier?.close();
  cashier = null;
});

/** Changes every row of the read model of withdrawals as it is written: no moment is missed. */
async function forgeRows(change: string): Promise<void> {
  await owner.query(
    `create or replace function projections.forge() returns trigger language plpgsql as
      $$ begin ${change}; return new; end $$`,
  );
  await owner.query(
    `create trigger forged before insert or update on projections.withdrawals_v1
      for each row execute function projections.forge()`,
  );
}
async function rich(bsm = 100n): Promise<TestPlayer> {
  const player = await bank.player(bsm * BSM);
  const first = await bank.startCashier();
  await bank.until(async () => expect((await bank.solvency()).onChainMinor).not.toBeNull());
  await bank.credit(player, bsm * BSM);
  await first.close();
  return player;
}
const start = async (o: Parameters<PayingSite['startCashier']>[0] = {}) => {
  // The check of the catalogue would find the triggers first; what is tried here must not depend on it.
  cashier = await bank.startCashier({ integrity: async () => null, ...o });
  return cashier;
};
const held = async (address: string) => (await bank.chain.chain.walletBalance(address)) ?? 0n;
const isPaid = (player: TestPlayer, minor = PAID_MINOR) =>
  bank.until(async () => expect(await held(player.wallet.address)).toBe(minor));
const waits = (id: string, code: HoldCode, facts: object = {}) =>
  bank.until(async () =>
    expect((await readHolds(bank.site.pool, [id])).get(id)).toEqual({ code, facts }),
  );
const act = (by: string, key: string) => ({ by, reason: 'looked at', key, correlation: 'test' });
const review = () => ({ pool: bank.site.pool, executor });

let changes = 0;
async function configure(part: Partial<Config['withdraw']>): Promise<void> {
  const executed = await executor.execute({
    decider: configDecider,
    stream: CONFIG_STREAM,
    idempotencyKey: `test:config:${changes++}`,
    request: null,
    meta: { correlation: 'test', actor: 'system:config-command' },
    async prepare({ config }) {
      const before = config as Config;
      const changed = { ...before, withdraw: { ...before.withdraw, ...part } };
      const knownRules = Object.fromEntries(games.map(({ id, rulesIds }) => [id, rulesIds]));
      const by = { reason: 'test', knownRules, by: 'system:config-command', adminsEver: 0 };
      return {
        command: { type: 'ChangeConfig' as const, config: changed, ...by },
        configVersion: null,
      };
    },
  });
  expect(executed.kind).toBe('done');
}

describe('rows of the read model', () => {
  const other = paymentBytes({ withdrawal: 'w', to: thief, netMinor: 800_000n * BSM });
  test.each([
    [
      'amounts and address',
      `new.net = 800000000000000; new.fee = -799995000000000; new.to_address = '${thief}'`,
    ],
    ['the stage', `if new.status = 'requested' then new.status = 'approved'; end if`],
    ['the attempts', 'new.attempts = 5; new.signature = null; new.transaction = null'],
    [
      'the signed bytes',
      `new.signature = '${other.signature}'; new.transaction = '${other.transaction}'`,
    ],
    ['the height until which it is valid', 'new.last_valid_block_height = 0; new.signed_slot = 0'],
  ])('with other values for %s change no payment', async (_what, change) => {
    const ann = await rich();
    await forgeRows(change);
    await bank.withdraw(ann, 5);
    // The first send is lost: the recorded bytes are sent again.
    bank.chain.local.faults.dropSends(1);
    await start();
    await isPaid(ann);
    expect(await held(thief)).toBe(0n);
    expect(await bank.balanceMinor(ann)).toBe(95n * BSM);
  });

  test('that show less, another address, or approvals, approve nothing automatically', async () => {
    const ann = await rich(3_000n);
    const wallet = ann.wallet.address;
    await forgeRows(
      `new.net = 1; new.fee = 0; new.to_address = '${wallet}'; new.approved_by = '{a,b}'`,
    );
    const large = await bank.withdraw(ann, 2_000);
    const elsewhere = await bank.withdraw(ann, 5, thief);
    await start();
    await waits(large, 'needs-operators', { approvals: 0, needed: 2 });
    await waits(elsewhere, 'not-confirmed', { approvals: 0, needed: 2 });
    expect(await held(thief)).toBe(0n);
  });

  test('of another player, or that have no event, are ignored', async () => {
    const [ann, bert] = [await rich(), await rich()];
    await forgeRows(`new.wallet = '${bert.wallet.address}'`);
    const id = await bank.withdraw(ann, 5);
    await owner.query(
      `insert into projections.withdrawals_v1 (withdrawal, wallet, to_address, net, fee, status,
          approved_by, attempts, requested_at, updated_at, position)
        values ('made-up-w1', $1, $2, 1, 0, 'approved', '{a,b}', 0, now(), now(), 1)`,
      [bert.wallet.address, thief],
    );
    const running = await start();
    await running.round();
    await running.round();
    expect([await held(ann.wallet.address), await held(bert.wallet.address)]).toEqual([0n, 0n]);
    expect(await approve(review(), id, act(OPERATORS.anna, 'made-up'))).toMatchObject({
      rejected: 'no-such-withdrawal',
    });
    await owner.query(`delete from projections.withdrawals_v1 where withdrawal = 'made-up-w1'`);
  });

  test('that are missing do not raise a limit, for this cashier or the next', async () => {
    const ann = await rich();
    await configure({ playerHourMaxCount: 1 });
    await forgeRows('new.automatic_at = null');
    await bank.withdraw(ann, 5);
    const first = await start();
    await isPaid(ann);
    const forget = 'delete from projections.withdrawals_v1 where wallet = $1';
    await bank.until(async () =>
      expect((await owner.query(forget, [ann.wallet.address])).rowCount).toBe(1),
    );
    const second = await bank.withdraw(ann, 5);
    await waits(second, 'player-count-used');
    await first.close();
    const next = await start();
    await next.round();
    await waits(second, 'player-count-used');
    await configure({ playerHourMaxCount: 10 });
    await isPaid(ann, 2n * PAID_MINOR);
  });

  test('let no operator decide about a withdrawal to the own wallet', async () => {
    const ann = await rich(3_000n);
    await forgeRows(`new.to_address = '${ann.wallet.address}'; new.signature = 'forged'`);
    const id = await bank.withdraw(ann, 2_000, thief);
    await bank.until(async () => expect(await bank.statusOf(id)).toBe('requested'));
    const own = `operator:${thief}`;
    const refused = { rejected: 'operator-own-wallet' };
    expect(await approve(review(), id, act(own, 'o1'))).toMatchObject(refused);
    expect(await deny(review(), id, act(own, 'o2'))).toMatchObject(refused);
    const blockHeight = Number.MAX_SAFE_INTEGER;
    for (const [name, by] of Object.entries({ anna: OPERATORS.anna, bert: OPERATORS.bert })) {
      expect(await approve(review(), id, act(by, name))).toBeNull();
    }
    bank.chain.local.faults.dropSends(1_000);
    await start();
    await bank.reaches(id, 'signed');
    await cashier?.close();
    expect(await markExpired(review(), id, { ...act(own, 'o3'), blockHeight })).toMatchObject(
      refused,
    );
    // The signature is the ledger's.
    const expired = { ...act(OPERATORS.anna, 'a3'), blockHeight };
    expect(await markExpired(review(), id, expired)).toBeNull();
  });
});

async function replace(player: TestPlayer, from: string, to: string): Promise<void> {
  const { rowCount } = await owner.query(
    `update streams set state = replace(state::text, $2, $3)::json
      where name = $1 and state::text like '%' || $2 || '%'`,
    [playerStream(player.wallet.address), from, to],
  );
  expect(rowCount).toBe(1);
}

describe('a stored state', () => {
  /** Raises the amount of the open withdrawal in the stored state. */
  const raise = (player: TestPlayer) =>
    replace(player, '"netMinor":"4750000000"', '"netMinor":"95000000000"');
  const restore = (player: TestPlayer) =>
    replace(player, '"netMinor":"95000000000"', '"netMinor":"4750000000"');
  test.each([null, 'before-approval', 'approved'] as const)(
    'that differs from its events is paid by no one, changed at %s',
    async (point) => {
      const ann = await rich();
      const id = await bank.withdraw(ann, 5);
      await bank.until(async () => expect(await bank.statusOf(id)).toBe('requested'));
      let isForged = false;
      const once = async () => {
        if (!isForged) await raise(ann);
        isForged = true;
      };
      if (point === null) await once();
      const running = await start({ at: (at) => (at === point ? once() : undefined) });
      await waits(id, 'state-differs');
      expect(running.differing()).toContain(`withdrawal ${id}`);
      expect(running.differing()).toContain(ann.wallet.address);
      await running.round();
      expect(await held(ann.wallet.address)).toBe(0n);
      expect(running.status().failing).toBeNull();
      await restore(ann);
      await isPaid(ann);
      await bank.until(() => expect(running.differing()).toBeNull());
    },
  );

  test('of the configuration that differs from its events stops all payments', async () => {
    const ann = await rich(3_000n);
    const id = await bank.withdraw(ann, 2_000);
    const edit = (from: string, to: string) =>
      owner.query(
        `update streams set state = replace(state::text, $1, $2)::json where name = 'config'`,
        [from, to],
      );
    const [honest, forged] = [1_000n, 9_000n].map(
      (bsm) => `"automaticMaxTokenMinor":"${bsm * BSM}"`,
    ) as [string, string];
    await edit(honest, forged);
    const running = await start();
    await bank.until(() => expect(running.differing()).toContain('config'));
    await running.round();
    expect(await held(ann.wallet.address)).toBe(0n);
    await edit(forged, honest);
    await waits(id, 'needs-operators', { approvals: 0, needed: 2 });
    await bank.until(() => expect(running.differing()).toBeNull());
  });
});

test.each([
  ['without its creation is paid, and compared by account', 1_000n, 'finalized'],
  ['with its creation fails, and the next attempt is denied', 1n, 'released'],
] as const)('a token account given away after the signing, %s', async (_what, minBsm, status) => {
  await configure({ newAccountMinTokenMinor: minBsm * BSM });
  const ann = await rich();
  const [mint, from, to] = [bank.chain.token.mint.address, ann.wallet.address, thief].map(
    (text) => new PublicKey(text),
  ) as [PublicKey, PublicKey, PublicKey];
  const account = getAssociatedTokenAddressSync(mint, from);
  const give = createSetAuthorityInstruction(account, from, AuthorityType.AccountOwner, to);
  const id = await bank.withdraw(ann, 5);
  let isGiven = false;
  await start({
    async at(point) {
      if (point !== 'signed-recorded' || isGiven) return;
      isGiven = true;
      await bank.chain.local.run([give], [ann.wallet]);
    },
  });
  const expired = new Set<number>();
  await bank.until(async () => {
    const open = await readWithdrawal(bank.site.pool, id);
    // A failed attempt is over when it has expired. Once each: the audit reports payments that are open for an hour.
    if (status === 'released' && open?.status === 'signed' && !expired.has(open.attempts)) {
      expired.add(open.attempts);
      bank.chain.local.advance(151);
    }
    expect(await bank.statusOf(id)).toBe(status);
  });
  const { report, compared } = await bank.audit();
  expect(report.findings.kept.filter(({ check }) => check !== 'projections')).toEqual([]);
  expect(compared.unproven).toEqual([]);
});

test('the events of all these payments are those of the site', async () => {
  const { findings } = await auditLedger({
    pool: bank.site.pool,
    vault: null,
    onProgress: () => {},
  });
  expect(findings.kept.filter(({ check }) => check !== 'projections')).toEqual([]);
  const { position } = await readHead(bank.site.pool);
  const events = await readLog(bank.site.pool, { from: 1, limit: position });
  const paid = events.filter(({ event }) => event.type === 'WithdrawalFinalized');
  expect(paid.length).toBeGreaterThan(8);
});

test('a forged balance that was carried into an event pays nothing', async () => {
  const ann = await rich();
  const stream = playerStream(ann.wallet.address);
  await replace(ann, '"tokenMinor":"100000000000"', '"tokenMinor":"900000000000"');
  const { withdraw: terms } = defaultConfig;
  await forge(
    bank.site.pool,
    stream,
    (state: PlayerState) => {
      const request = { type: 'RequestWithdrawal', amountMinor: 500n * BSM, terms } as const;
      const to = ann.wallet.address;
      const more = { to, address: 'wallet', makesAccount: false } as const;
      const events = playerDecider.decide(state, { ...request, ...more });
      if (!Array.isArray(events)) throw new Error('the request is refused');
      return events;
    },
    `player:${ann.wallet.address}`,
  );
  const running = await start();
  await bank.until(() => expect(running.differing()).toContain('its postings give'));
  await running.round();
  expect(await held(ann.wallet.address)).toBe(0n);
  await owner.query('delete from projections.withdrawals_v1 where wallet = $1', [
    ann.wallet.address,
  ]);
});
