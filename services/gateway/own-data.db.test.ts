import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sealDue } from '@reelbook/auditor/seal';
import { verify } from '@reelbook/cli/commands/verify';
import type { ReceiptKey } from '@reelbook/contract/player/fairness';
import type { BetResult } from '@reelbook/contract/player/games';
import type { Statement } from '@reelbook/contract/player/own-data';
import type { Transaction } from '@reelbook/contract/player/profile';
import { startExecutor } from '@reelbook/event-store/execute';
import { verifyOwnData } from '@reelbook/games/proofs/verify-own-data';
import { recordReport } from '@reelbook/payments/reports';
import { EXIT } from '@reelbook/runtime/command';
import { startSite, type TestPlayer, type TestSite } from '@reelbook/simulator/stages/site';
import { untilCaughtUp } from '@reelbook/testing/caught-up';
import { WAIT } from '@reelbook/testing/wait';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EXPORTS_PER_PLAYER } from './limits.ts';

const ROUNDS = 12;

let site: TestSite;
let anna: TestPlayer;
let key: string;
beforeAll(async () => {
  site = await startSite();
  const bert = await site.login();
  anna = await site.login();
  for (let round = 0; round < ROUNDS; round++) {
    for (const player of [anna, bert]) {
      await player.call<BetResult>('/game/slot-machine/bet', { body: { bet_amount: 2 } });
    }
  }
  await anna.call('/user/profile', { method: 'PUT', body: { nickname: '=1+1' } });
  await anna.call('/user/protection/limits', {
    method: 'PUT',
    body: { limit: 'loss', period: 'day', amount: 500 },
  });
  await anna.call('/fairness/rotate', { body: {} });
  key = (await anna.call<ReceiptKey>('/fairness/key')).data.public_key;
  const executor = startExecutor({ pool: site.pool });
  const terms = { everyEvents: 16_384, everyMs: 0 };
  await sealDue({ pool: site.pool, executor, terms });
  await executor.close();
  await untilCaughtUp(site.pool);
});
afterAll(() => site.close());

const file = (path: string, player: TestPlayer = anna) =>
  fetch(`${site.url}/api/v1${path}`, { headers: { authorization: `Bearer ${player.token}` } });

async function* linesOf(text: string) {
  yield* text.split('\n').slice(0, -1);
}

interface Line {
  readonly part: string;
  readonly data: { readonly [field: string]: unknown };
}
const parsed = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);

describe('the statement', () => {
  test('reconciles with the balances and the list of transactions', async () => {
    const { data } = await anna.call<Statement>('/user/statement');
    const { data: held } = await anna.call<{ points_balance: number; token_balance: number }>(
      '/user/balance',
    );
    const closing = Object.fromEntries(data.assets.map((one) => [one.asset, Number(one.closing)]));
    expect(closing).toEqual({ points: held.points_balance, token: held.token_balance });
    const { data: list } = await anna.call<{ items: Transaction[]; total: number }>(
      '/user/transactions?page_size=100',
    );
    const events = data.assets.flatMap(({ terms }) => terms.map((one) => one.events));
    expect(events.reduce((sum, count) => sum + count)).toBe(list.total);
    expect(data.play.bets).toBe(ROUNDS);
  });

  test('of a period opens with what the period before closes', async () => {
    const { data: list } = await anna.call<{ items: Transaction[] }>('/user/transactions');
    const middle = encodeURIComponent(list.items[5]?.created_at ?? '');
    const before = (await anna.call<Statement>(`/user/statement?to=${middle}`)).data;
    const after = (await anna.call<Statement>(`/user/statement?from=${middle}`)).data;
    expect(after.from_position).toBe(before.to_position);
    expect(after.assets.map((one) => one.opening)).toEqual(before.assets.map((one) => one.closing));
    expect(after.assets[0]?.terms.length).toBeGreaterThan(0);
  });

  test('refuses a time that is none', async () => {
    for (const query of ['from=soon', 'to=2026-02-30', 'from=2026-03-01&to=2026-02-01']) {
      const { status, data } = await anna.call<{ error: string }>(`/user/statement?${query}`);
      expect([status, data.error], query).toEqual([400, 'bad-input']);
    }
  });

  test('is a file of CSV, in which the name is no formula, and of JSON', async () => {
    const csv = await file('/user/statement/file?format=csv');
    expect(csv.headers.get('content-disposition')).toBe(
      'attachment; filename="reelbook-statement.csv"',
    );
    const bytes = new Uint8Array(await csv.arrayBuffer());
    // Spreadsheets read it as UTF-8 only with this byte order mark.
    expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const text = new TextDecoder().decode(bytes);
    expect(text).toContain("statement,,name,,,'=1+1\r\n");
    const json = (await (await file('/user/statement/file?format=json')).json()) as Statement;
    const { data } = await anna.call<Statement>('/user/statement');
    expect(json.assets).toEqual(data.assets);
    expect(text).toContain(`balance,points,closing,,,${data.assets[0]?.closing}\r\n`);
  });
});

describe('the export', () => {
  test('has every part, is complete, and both offline verifiers accept it', async () => {
    const reported = '5'.repeat(88);
    const amountMinor = 5_000_000_000n;
    await recordReport(site.pool, {
      wallet: anna.wallet.address,
      signature: reported,
      amountMinor,
    });
    const response = await file('/user/export');
    expect(response.headers.get('content-type')).toBe('application/x-ndjson');
    const text = await response.text();
    const checked = await verifyOwnData(linesOf(text), key);
    expect(checked).toMatchObject({ signed: 'by the given key', faults: [], receipts: ROUNDS });
    expect(checked.waiting).toBe(0);
    const lines = parsed(text);
    const parts = new Set(lines.map(({ part }) => part).filter((part) => part !== undefined));
    expect([...parts].sort()).toEqual(
      [
        'achievements',
        'deposit_report',
        'end',
        'event',
        'notification',
        'profile',
        'protection',
        'receipt',
        'revealed_seed',
        'seeds',
        'sessions',
        'statement',
      ].sort(),
    );
    const report = lines.find(({ part }) => part === 'deposit_report')?.data;
    expect(report).toMatchObject({ status: 'pending', amount: 5 });
    expect(report?.extra_data).toContain(reported);
    const types = lines
      .filter(({ part }) => part === 'event')
      .map(({ data }) => (JSON.parse(String(data.body)) as { type: string }).type);
    expect(types).toContain('LimitSet');
    expect(types).toContain('NicknameChanged');
    const folder = mkdtempSync(join(tmpdir(), 'reelbook-own-data-'));
    const path = join(folder, 'my-data.jsonl');
    writeFileSync(path, text);
    expect(await verify(path, { key })).toBe(EXIT.done);
    writeFileSync(path, text.replace('"part":"sessions"', '"part":"session"'));
    expect(await verify(path, { key })).toBe(EXIT.no);
    rmSync(folder, { recursive: true });
  });

  test('with a changed, missing or foreign line is refused', async () => {
    const text = await (await file('/user/export')).text();
    const all = text.trimEnd().split('\n');
    const receipt = all.findIndex((line) => line.startsWith('{"part":"receipt"'));
    const fails = async (lines: readonly string[]) =>
      (await verifyOwnData(linesOf(`${lines.join('\n')}\n`), key)).faults.map((one) => one.message);
    expect(await fails(all)).toEqual([]);
    expect(await fails(all.slice(0, -1))).toEqual([
      'the file is incomplete: its last line is missing',
    ]);
    expect(await fails(all.toSpliced(receipt, 1))).toContain('it was changed after it was made');
    const forged = all.map((line) => line.replace('"stake_minor":"200"', '"stake_minor":"100"'));
    expect((await fails(forged)).join()).toContain('signature: it was changed after it was signed');
    const other = all.map((line) =>
      line.replace(`"wallet_address":"${anna.wallet.address}"`, '"wallet_address":"x"'),
    );
    expect(await fails(other)).toContain('a receipt is of another player');
  });

  test('ends with the session', async () => {
    const carl = await site.login();
    const owner = await site.database.pool('owner', 1).connect();
    // The file has started and waits for its notifications.
    await owner.query('begin');
    await owner.query('lock table projections.notifications_v1 in access exclusive mode');
    const read = file('/user/export', carl).then((response) => response.text());
    const waits = `select from pg_locks where not granted and mode = 'AccessShareLock'
      and relation = 'projections.notifications_v1'::regclass
      and database = (select oid from pg_database where datname = current_database())`;
    await expect.poll(async () => (await site.pool.query(waits)).rowCount, WAIT).toBe(1);
    await carl.call('/auth/logout-all', { body: {} });
    await owner.query('commit');
    owner.release();
    const text = await read.catch(() => '');
    expect(text).not.toMatch(/"part":"(event|end)"/);
  });

  test('is refused above its rate, and without a session', async () => {
    const carl = await site.login();
    const statuses: number[] = [];
    for (let call = 0; call <= EXPORTS_PER_PLAYER; call++) {
      const response = await file('/user/export', carl);
      statuses.push(response.status);
      await response.text();
    }
    expect(statuses).toEqual([...Array.from({ length: EXPORTS_PER_PLAYER }, () => 200), 429]);
    const response = await fetch(`${site.url}/api/v1/user/export`);
    expect(response.status).toBe(401);
  });
});
