import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { auditWithChain, verdictOf } from '@reelbook/audit/report';
import { READ_LOG_LIMIT_MAX, readLog } from '@reelbook/event-store/read-log';
import { playerStream } from '@reelbook/ledger/streams';
import { type PaidLedger, startPaidLedger } from '@reelbook/simulator/stages/paid-ledger';
import { BSM } from '@reelbook/simulator/stages/paying-site';
import { startSite } from '@reelbook/simulator/stages/site';
import { runInProcess } from '@reelbook/testing/run-program';
import { rewriteLedger, tamperWith } from '@reelbook/testing/tamper';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { reelbook } from '../cli/program.ts';

/** Of the local chain, which has a block every 0.4 s. */
const BLOCKS_50_MIN = 7_500;
const BLOCKS_20_MIN = 3_000;
const folder = mkdtempSync(join(tmpdir(), 'reelbook-audit-'));

let paid: PaidLedger;
beforeAll(async () => {
  paid = await startPaidLedger();
});
afterEach(() => paid.bank.chain.local.faults.clear());
afterAll(async () => {
  await paid.bank.close();
  rmSync(folder, { recursive: true, force: true });
});

test('without an RPC the audit is unproven', async () => {
  const { faults } = paid.bank.chain.local;
  for (const node of ['first', 'second'] as const) faults.away(node);
  const { messages, verdict } = await paid.bank.audit();
  expect(verdict).toBe('UNPROVEN');
  expect(messages).toEqual(['no RPC responded']);
});

test('with an RPC that goes away in the middle the audit is unproven', async () => {
  paid.bank.chain.local.faults.fail('getSignaturesForAddress', 1_000);
  const { messages, verdict } = await paid.bank.audit();
  expect(verdict).toBe('UNPROVEN');
  expect(messages.join()).toContain('getSignaturesForAddress: no RPC answered');
});

test.each([
  ['no RPC', { urls: null }, 'no SOLANA_RPC_URL is set'],
  ['the chain skipped by option', { isOffline: true }, 'the chain was not read (--offline)'],
  ['no wallets of the treasury', { wallets: null }, 'TREASURY_WALLETS is not set'],
])('an audit with %s is unproven', async (_what, order, words) => {
  const { messages, verdict } = await paid.bank.audit(order);
  expect(verdict).toBe('UNPROVEN');
  expect(messages.join()).toContain(words);
});

test('a transaction that the RPC lists and does not return is reported', async () => {
  const { local } = paid.bank.chain;
  const { report } = await paid.bank.audit();
  const [signature = ''] = report.ledgerSide.anchors.keys();
  for (const node of ['first', 'second'] as const) local.faults.fail('getTransaction', 1_000, node);
  expect(await paid.bank.audit()).toMatchObject({ verdict: 'UNPROVEN' });
  local.faults.clear();
  for (const node of ['first', 'second'] as const) local.faults.hide(signature, node);
  // Hidden in both lists, it does not exist: a finding, because the node has the history of its slot.
  const { messages } = await paid.bank.audit();
  expect(messages).toEqual([`the transaction of its anchor ${signature} is not on the chain`]);
});

test('a ledger without a chain is clean without an RPC', async () => {
  const site = await startSite({});
  const chain = {
    urls: null,
    wallets: null,
    accepted: [],
    folder: null,
    all: false,
    isOffline: false,
  };
  const o = { pool: site.pool, vault: null, onProgress: () => {}, chain };
  const { report, compared } = await auditWithChain(o);
  await site.close();
  expect(verdictOf(report, compared.unproven)).toBe('CLEAN');
  expect(compared.hasChain).toBe(false);
});

test('stores what was seen of the chain, and compares it with the current ledger again', async () => {
  const first = await paid.bank.audit({ folder });
  expect(first).toMatchObject({ verdict: 'CLEAN', messages: [] });
  const files = readdirSync(folder);
  expect(files).toHaveLength(2);
  // Requests only newer transactions.
  paid.bank.chain.local.faults.fail('getTransaction', 1_000);
  const again = await paid.bank.audit({ folder });
  expect(again).toMatchObject({ verdict: 'CLEAN', messages: [] });
  expect(again.compared.transactions).toBe(first.compared.transactions);
  paid.bank.chain.local.faults.clear();
  // A crash in the middle of a line.
  for (const file of files) writeFileSync(join(folder, file), '{"progress":{"cur', { flag: 'a' });
  expect(await paid.bank.audit({ folder })).toMatchObject({ verdict: 'CLEAN', messages: [] });
  const { bank, bert } = paid;
  const rewritten = await tamperWith(
    bank.site.database.pool('owner'),
    (client) => rewriteLedger(client, ({ stream }) => stream !== playerStream(bert.wallet.address)),
    () => bank.audit({ folder }),
  );
  expect(rewritten.verdict).toBe('FAULTY');
});

test('a payment in flight and a deposit that waits for the cashier are no findings for an hour', async () => {
  const { bank, ann } = paid;
  const signature = await bank.deposit(ann, 5n * BSM);
  bank.chain.local.advance(BLOCKS_50_MIN);
  expect(await bank.audit()).toMatchObject({
    verdict: 'CLEAN',
    messages: [],
    compared: { underWay: 1 },
  });
  bank.chain.local.advance(BLOCKS_20_MIN);
  const { messages, verdict } = await bank.audit();
  expect(verdict).toBe('FAULTY');
  expect(messages).toEqual([
    `5 BSM arrived by ${signature} more than an hour ago and is not in the ledger`,
  ]);
  const cashier = await bank.startCashier();
  await bank.until(async () => expect(await bank.balanceMinor(ann)).toBe(15n * BSM));
  await bank.expectIntact();
  await cashier.close();
  expect(await bank.audit()).toMatchObject({ verdict: 'CLEAN', messages: [] });
});

test('SOL and foreign transactions that only name the treasury are no findings', async () => {
  const { bank } = paid;
  const { address } = bank.chain.treasury;
  await bank.chain.local.airdrop(address, 1n);
  await bank.chain.local.airdrop((await bank.chain.chain.terms()).tokenAccount, 1_000_000n);
  bank.chain.local.advance(BLOCKS_50_MIN + BLOCKS_20_MIN);
  expect(await bank.audit()).toMatchObject({ verdict: 'CLEAN', messages: [] });
});

test('the command exits with 3 when the chain was not compared, and with 0 when that is allowed', async () => {
  const { site, chain } = paid.bank;
  const { mint, wallet } = await chain.chain.terms();
  const run = (args: readonly string[], environment: Record<string, string> = {}) =>
    runInProcess(reelbook, ['audit', '--no-read-models', ...args], {
      DATABASE_URL: site.database.url,
      DATA_DIR: folder,
      ...environment,
    });
  const asking = {
    SOLANA_RPC_URL: chain.local.urls.join(','),
    TOKEN_MINT: mint,
    TREASURY_WALLET: wallet,
  };
  const blind = await run([]);
  expect(blind.output).toContain('UNPROVEN');
  expect(blind.output).toContain('unproven  no SOLANA_RPC_URL is set');
  expect(blind.code).toBe(3);
  expect(await run(['--allow-unproven'])).toMatchObject({ code: 0 });
  expect(await run(['--offline'], asking)).toMatchObject({ code: 3 });
  const complete = await run([], asking);
  expect(complete.output).toContain('CLEAN');
  expect(complete.output).toMatch(
    /after {5}#\d+ to #\d+, \d+ events, the newest anchor \d+ min old/,
  );
  expect(complete.code).toBe(0);
  const stranger = { ...asking, TREASURY_WALLETS: mint };
  const recorded = async () => {
    const events = await readLog(site.pool, { from: 1, limit: READ_LOG_LIMIT_MAX });
    return events.flatMap(({ event }) => (event.type === 'FindingsRecorded' ? [event.data] : []));
  };
  expect(await run(['--no-record'], stranger)).toMatchObject({ code: 1 });
  expect(await recorded()).toEqual([]);
  for (let n = 0; n < 2; n++) expect(await run([], stranger)).toMatchObject({ code: 1 });
  const [only, ...more] = await recorded();
  expect(new Set(only?.findings.map(({ subject }) => subject))).toEqual(new Set(['treasury']));
  expect(more).toEqual([]);
});
