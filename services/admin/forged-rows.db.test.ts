/** What operators see before they decide is from the events, whatever the rows of the read models say. */

import { DRY_RUN_PATH } from '@reelbook/contract/route';
import { rowsOf } from '@reelbook/event-store/query';
import { showByEvents, WITHDRAWALS } from '@reelbook/projections/withdrawals/projection';
import type { TestOperator } from '@reelbook/simulator/stages/admin-site';
import { BSM } from '@reelbook/simulator/stages/paying-site';
import { type PaymentReview, startPaymentReview } from '@reelbook/simulator/stages/payment-review';
import type { TestPlayer } from '@reelbook/simulator/stages/site';
import { untilCaughtUp } from '@reelbook/testing/caught-up';
import { createWallet } from '@reelbook/testing/wallets';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AdminData, DryRun } from './answers.ts';

const reason = 'papers are in order';
const thief = createWallet(91).address;

let bank: PaymentReview;
let projector: pg.Pool;
let ann: TestOperator;
let player: TestPlayer;
/** A stolen session asked for it: to another address, without the wallet. */
let id: string;
let signature: string;
let sender: TestPlayer;
beforeAll(async () => {
  bank = await startPaymentReview({ isPaying: false });
  projector = bank.site.database.pool('projector', 1);
  ann = bank.admin.by.operator;
  const cashier = await bank.startCashier();
  player = await bank.player(20_000n * BSM);
  await bank.credit(player, 18_000n * BSM);
  const paid = await bank.withdraw(player, 10);
  await bank.reaches(paid, 'finalized');
  const returned = await bank.withdraw(player, 2_000);
  await bank.reaches(returned, 'requested');
  const deny = await ann.call(`/admin/withdrawals/${returned}/deny`, { body: { reason } });
  expect(deny.status).toBe(200);
  // With this one above what a player may have paid in a day.
  await bank.reaches(await bank.withdraw(player, 8_000), 'requested');
  id = await bank.withdraw(player, 3_000, thief);
  await bank.reaches(id, 'requested');
  const stranger = createWallet(92);
  await bank.chain.fund(3n * BSM, stranger);
  signature = await bank.chain.deposit(stranger, 3n * BSM);
  await bank.until(async () => expect(await unmatched()).toMatchObject([{ signature }]));
  await cashier.close();
  sender = await bank.site.login(stranger);
  const suspend = `/admin/players/${player.wallet.address}/suspend`;
  expect((await ann.call(suspend, { body: { reason } })).status).toBe(200);
  await untilCaughtUp(bank.site.pool);
});
afterAll(() => bank?.close());

const unmatched = async () =>
  (await ann.call<AdminData<'deposits'>>('/admin/deposits?state=unmatched')).data.deposits;
const detail = async (of = id) =>
  (await ann.call<AdminData<'withdrawal'>>(`/admin/withdrawals/${of}`)).data;
const listed = async () =>
  (await ann.call<AdminData<'withdrawals'>>('/admin/withdrawals?status=all')).data.withdrawals;
const approve = (path = '') =>
  ann.call<{ error?: string }>(`/admin/withdrawals/${id}/approve${path}`, { body: { reason } });

const KEYS = { withdrawals_v1: 'withdrawal', entries_v1: 'position', entries_players_v1: 'wallet' };
/** Runs with changed rows of a read model, which are then restored. */
async function withRows(
  table: keyof typeof KEYS,
  where: string,
  change: string,
  run: () => Promise<void>,
): Promise<void> {
  const [name, key] = [`projections.${table}`, KEYS[table]];
  const { rows } = await projector.query(`select * from ${name} where ${where}`);
  expect(rows.length).toBeGreaterThan(0);
  const to = change === 'delete' ? `delete from ${name}` : `update ${name} set ${change}`;
  await projector.query(`${to} where ${where}`);
  await run();
  await projector.query(
    `delete from ${name} where ${key}::text in (
      select one->>$2 from json_array_elements($1) as one)`,
    [JSON.stringify(rows), key],
  );
  await projector.query(
    `insert into ${name} select (json_populate_record(null::${name}, one)).*
      from json_array_elements($1) as one`,
    [JSON.stringify(rows)],
  );
}

test('the rows of the read model are what the events give', async () => {
  const rows = await rowsOf(bank.site.pool, WITHDRAWALS);
  expect(rows.map(({ status }) => status).toSorted()).toEqual([
    'finalized',
    'released',
    'requested',
    'requested',
  ]);
  const shown = await showByEvents(bank.site.pool, rows);
  expect(shown.map((one) => one.shown)).toEqual(rows);
  expect(shown.map(({ differs }) => differs)).toEqual([false, false, false, false]);
});

test.each([
  ['address and amounts', `to_address = wallet, net = 4750000000, fee = 250000000`],
  ['amounts, of a row that seems to be behind', 'net = 4750000000, position = 1'],
  ['a stage', `status = 'approved'`],
  ['an end', `status = 'finalized'`],
  ['approvals', `approved_by = array['operator:x']`],
  ['attempts and their bytes', `attempts = 7, signature = 's', transaction = 't', signed_slot = 4`],
  ['a reason', `reason = 'checked by phone'`],
  ['the time of the request', `requested_at = requested_at - interval '2 days'`],
  ['a later position', `position = position + 100000`],
])(
  'a withdrawal is shown by its events, and not approved, while its row has other %s',
  async (_what, change) => {
    const { risks: all, hold: _, ...before } = await detail();
    // Why it waits is in a working table, of which rows that say that they are over are left out.
    const flagsOf = (risks: typeof all) =>
      risks.filter(({ code }) => code !== 'on-hold' && code !== 'state-differs');
    const risks = flagsOf(all);
    expect(risks.map(({ code }) => code)).toEqual(
      expect.arrayContaining(['velocity', 'other-address', 'new-address', 'large', 'no-play']),
    );
    expect(before).toMatchObject({
      to_address: thief,
      net: { minor: '2850000000000' },
      status: 'requested',
      attempts: 0,
      events: [{ facts: { to: { name: thief } } }],
      player: { standing: { suspended: { reason } } },
    });
    await withRows('withdrawals_v1', `withdrawal = '${id}'`, change, async () => {
      const now = await detail();
      expect(now).toMatchObject(before);
      expect(flagsOf(now.risks)).toEqual(risks);
      expect(now.risks.find(({ code }) => code === 'state-differs')?.weight).toBe(2);
      const { events: ____, transaction: __, signed_slot: ___, ...inList } = now;
      expect((await listed()).find(({ withdrawal }) => withdrawal === id)).toEqual(inList);
      for (const path of ['', DRY_RUN_PATH]) {
        const { status, data } = await approve(path);
        expect([status, data.error]).toEqual([409, 'state-differs']);
      }
    });
    expect((await detail()).risks).toEqual(all);
  },
);

test('a row that is behind its events is not a difference', async () => {
  const paid = (await listed()).find(({ status }) => status === 'finalized');
  const where = `withdrawal = '${paid?.withdrawal}'`;
  const behind = `status = 'signed', position = position - 1`;
  await withRows('withdrawals_v1', where, behind, async () => {
    expect(await detail(paid?.withdrawal)).toMatchObject({ ...paid });
  });
});

test('a withdrawal of another player, or of no event, is a difference', async () => {
  const other = `wallet = '${sender.wallet.address}'`;
  await withRows('withdrawals_v1', `withdrawal = '${id}'`, other, async () => {
    expect((await detail()).risks.map(({ code }) => code)).toContain('state-differs');
    expect((await approve()).status).toBe(409);
  });
});

test('no row takes a risk flag or the standing of a player away', async () => {
  const before = await detail();
  const same = async () => expect(await detail()).toEqual(before);
  const others = `withdrawal <> '${id}'`;
  await withRows('withdrawals_v1', others, `to_address = '${thief}'`, same);
  await withRows('withdrawals_v1', others, `status = 'released'`, same);
  await withRows('withdrawals_v1', others, 'delete', same);
  await withRows('entries_v1', 'type > 3', 'delete', same);
  await withRows('entries_v1', 'withdrawal is not null', 'withdrawal = null', same);
});

test('the sender of an unmatched deposit is a player by the events', async () => {
  const before = await unmatched();
  expect(before).toMatchObject([{ player: { wallet: sender.wallet.address } }]);
  const where = `wallet = '${sender.wallet.address}'`;
  await withRows('entries_players_v1', where, 'delete', async () => {
    expect(await unmatched()).toMatchObject([
      { ...before[0], player: { wallet: sender.wallet.address, standing: {} } },
    ]);
  });
});

test('a waiting adjustment is shown as the events have it while the stored state is another', async () => {
  const path = `/admin/players/${sender.wallet.address}/adjustments`;
  const amount = { asset: 'token', minor: '90000000000' };
  const proposed = await ann.call<{ proposal: number }>(path, { body: { amount, reason } });
  const waiting = async () => (await ann.call<AdminData<'proposals'>>('/admin/proposals')).data;
  const before = await waiting();
  expect(before).toMatchObject([{ number: proposed.data.proposal, reason }]);
  const owner = bank.site.database.pool('owner', 1);
  const stream = 'operators';
  await owner.query("set session_replication_role = 'replica'");
  for (const [from, to] of [
    ['"deltaMinor":"90000000000"', '"deltaMinor":"10000000000"'],
    ['"deltaMinor":"10000000000"', '"deltaMinor":"90000000000"'],
  ] as const) {
    const { rowCount } = await owner.query(
      'update streams set state = replace(state::text, $2, $3)::json where name = $1 and state::text like $4',
      [stream, from, to, `%${from}%`],
    );
    expect(rowCount).toBe(1);
    expect(await waiting()).toEqual(before);
  }
});

test('the dry run of an approval and its event have the address and the net amount', async () => {
  const dry = await approve(DRY_RUN_PATH);
  const { events, fingerprint } = dry.data as unknown as DryRun;
  expect(events).toMatchObject([
    {
      data: { to: thief, netMinor: '2850000000000' },
      what: expect.stringContaining(`of 2850 BSM to ${thief}: ${reason}`),
    },
  ]);
  expect(fingerprint).toMatch(/^[0-9a-f]{64}$/);
  expect((await approve()).status).toBe(200);
  const { approved_by, events: steps } = await detail();
  expect(approved_by).toEqual([`operator:${ann.wallet.address}`]);
  expect(steps.at(-1)).toMatchObject({ facts: { to: { name: thief } } });
});
