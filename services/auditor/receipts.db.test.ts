import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { auditLedger } from '@reelbook/audit/audit';
import { compareReceipts, InvalidReceipt, readReceipt } from '@reelbook/audit/receipts';
import type { ReceiptKey } from '@reelbook/contract/player/fairness';
import type { BetResult } from '@reelbook/contract/player/games';
import { startExecutor } from '@reelbook/event-store/execute';
import { readHead } from '@reelbook/event-store/read-log';
import type { EventProof } from '@reelbook/games/proofs/event-proof';
import type { Receipt } from '@reelbook/games/proofs/receipt';
import { RESTORED_COMMAND } from '@reelbook/ledger/operators/restores';
import { OPERATORS_STREAM } from '@reelbook/ledger/streams';
import { startSite, type TestPlayer, type TestSite } from '@reelbook/simulator/stages/site';
import { runInProcess } from '@reelbook/testing/run-program';
import { forge, rewriteLedger, tamperWith } from '@reelbook/testing/tamper';
import { WAIT } from '@reelbook/testing/wait';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { reelbook } from '../cli/program.ts';
import { sealDue } from './seal.ts';

const folder = mkdtempSync(join(tmpdir(), 'reelbook-receipts-'));

let site: TestSite;
let ann: TestPlayer;
/** Of a sealed round, of one after the last seal, and of one event. */
let texts: readonly string[];
beforeAll(async () => {
  site = await startSite({});
  ann = await site.login();
  const sealed = await play();
  const executor = startExecutor({ pool: site.pool, onAppended: () => site.bus.nudge() });
  await sealDue({ pool: site.pool, executor, terms: { everyEvents: 16_384, everyMs: 0 } });
  await executor.close();
  await vi.waitFor(async () => {
    expect((await receiptOf(sealed)).events[0]?.status).toBe('sealed');
  }, WAIT);
  const open = await play();
  const { data: proof } = await ann.call<EventProof>(`/user/events/${open.bet_position}`);
  texts = [await receiptOf(sealed), await receiptOf(open), proof].map((one) => JSON.stringify(one));
});
afterAll(async () => {
  await site.close();
  rmSync(folder, { recursive: true, force: true });
});

const play = async () =>
  (await ann.call<BetResult>('/game/slot-machine/bet', { body: { bet_amount: 1 } })).data;
const receiptOf = async ({ round_id }: BetResult) =>
  (await ann.call<Receipt>(`/fairness/rounds/${round_id}/receipt`)).data;
const held = () => texts.map((text, index) => readReceipt(`receipt-${index}.json`, text));

async function compare() {
  const { pool } = site;
  const { findings } = await auditLedger({ pool, vault: null, onProgress: () => {} });
  const { compared } = await compareReceipts(pool, held(), findings);
  return { compared, findings: findings.kept };
}

test('receipts match a ledger that was not altered', async () => {
  expect(await compare()).toEqual({ compared: 11, findings: [] });
});

test('a receipt shows that the tail after the last seal was cut off', async () => {
  const { findings } = await tamperWith(
    site.database.pool('owner'),
    (client) =>
      rewriteLedger(client, ({ type }) => type !== 'BetPlaced' && !type.startsWith('Bet')),
    compare,
  );
  expect(findings.every(({ check }) => check === 'receipts')).toBe(true);
  const messages = findings.map(({ message }) => message).join('; ');
  expect(messages).toContain('receipt-0.json: its event differs from the one in the ledger');
  expect(messages).toContain('receipt-1.json: its event is not in the ledger');
  expect(messages).toContain('receipt-2.json: its event is not in the ledger');
});

test('a receipt of an event that was lost before a restore gets that answer, and no other event does', async () => {
  const { pool } = site;
  const { position: open } = JSON.parse(texts[2] ?? '') as EventProof;
  const restored = (lostTo: (position: number) => number) =>
    tamperWith(
      site.database.pool('owner'),
      async (client) => {
        await rewriteLedger(client, ({ position }) => position < open);
        const { position, hash } = await readHead(pool);
        const loss = { position, hash, lostTo: lostTo(position), payments: [], anchors: [] };
        const data = { ...loss, epoch: 1, reason: 'a test' };
        const make = () => [{ type: 'LedgerRestored', data }];
        await forge(pool, OPERATORS_STREAM, make, RESTORED_COMMAND);
      },
      async () => {
        const { findings, ledgerSide } = await auditLedger({
          pool,
          vault: null,
          onProgress: () => {},
        });
        const { lost } = await compareReceipts(pool, held(), findings, ledgerSide.restores);
        const { data: published } = await site.call<ReceiptKey>('/fairness/key');
        return {
          lost,
          published: published.lost,
          findings: findings.kept.map(({ message }) => message),
        };
      },
    );
  const { lost, published, findings } = await restored((position) => position + 1_000);
  expect(findings).toEqual([]);
  // The site publishes it: each player's page shows it, and no page is asked by a verifier.
  const before = expect.stringMatching(/Z$/);
  expect(published).toEqual([{ epoch: 1, from: open, to: open + 999, before }]);
  expect(lost).toContain(`receipt-2.json: #${open} was lost before epoch 1`);
  expect(lost.filter((one) => one.startsWith('receipt-0'))).toEqual([]);
  const less = await restored((position) => position);
  expect(less.lost).toEqual([]);
  expect(less.findings.join()).toContain('receipt-2.json: its event');
});

test('refuses an invalid receipt', () => {
  const receipt = JSON.parse(texts[0] ?? '') as Receipt;
  const proof = JSON.parse(texts[2] ?? '') as EventProof;
  for (const [words, made] of [
    ['signature is not valid', { ...receipt, wallet: 'another' }],
    ['does not follow from its text', { ...proof, body: `${proof.body} ` }],
    ['neither a receipt nor a proof', { any: 'thing' }],
    ['neither a receipt nor a proof', null],
  ] as const) {
    expect(() => readReceipt('one.json', JSON.stringify(made))).toThrow(InvalidReceipt);
    expect(() => readReceipt('one.json', JSON.stringify(made))).toThrow(words);
  }
});

test('the command accepts several files, and names the invalid one', async () => {
  const files = texts.map((text, index) => {
    const file = join(folder, `receipt-${index}.json`);
    writeFileSync(file, text);
    return file;
  });
  const run = (args: readonly string[]) =>
    runInProcess(reelbook, ['audit', '--no-read-models', ...args], {
      DATABASE_URL: site.database.url,
      DATA_DIR: folder,
    });
  const { public_key } = (JSON.parse(texts[0] ?? '') as Receipt).signature;
  const clean = await run(['--receipts', ...files]);
  expect(clean.output).toContain(`11 events of 3 files compared, signed by ${public_key}`);
  expect(clean.code).toBe(0);
  const bad = join(folder, 'bad.json');
  writeFileSync(bad, '{}');
  const refused = await run(['--receipts', bad]);
  expect(refused.output).toContain('bad.json: it is neither a receipt nor a proof of an event');
  expect(refused.code).toBe(2);
  expect(await run(['stray'])).toMatchObject({ code: 2 });
});
