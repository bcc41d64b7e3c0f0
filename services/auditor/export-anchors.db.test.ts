import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startExecutor } from '@reelbook/event-store/execute';
import { loadState } from '@reelbook/event-store/read-stream';
import { eventHash } from '@reelbook/games/fairness/commit';
import { publicKeyOf, signText } from '@reelbook/games/proofs/signature';
import { manifestText } from '@reelbook/games/proofs/verify-export';
import { TREASURY_STREAM } from '@reelbook/ledger/streams';
import { treasuryDecider } from '@reelbook/ledger/treasury/decide';
import { type PayingSite, startPayingSite } from '@reelbook/simulator/stages/paying-site';
import { untilCaughtUp } from '@reelbook/testing/caught-up';
import { runInProcess } from '@reelbook/testing/run-program';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reelbook } from '../cli/program.ts';
import { sealDue } from './seal.ts';

const folder = mkdtempSync(join(tmpdir(), 'reelbook-export-'));
const file = join(folder, 'ledger.jsonl');

let bank: PayingSite;
beforeAll(async () => {
  bank = await startPayingSite();
  const { pool, bus, receiptKey, database } = bank.site;
  const cashier = await bank.startCashier({ anchorEveryMs: 0 });
  const executor = startExecutor({ pool, onAppended: () => bus.nudge() });
  const sealed = await sealDue({ pool, executor, terms: { everyEvents: 16_384, everyMs: 0 } });
  await executor.close();
  await bank.until(async () => {
    const { state } = await loadState(pool, treasuryDecider, TREASURY_STREAM);
    expect(state.anchoredSeal).toBe(sealed?.seal);
  });
  await cashier.close();
  await untilCaughtUp(pool);
  const settings = { DATABASE_URL: database.url, RECEIPT_KEY: receiptKey.toString('hex') };
  expect(await ledger(['export', file], settings)).toMatchObject({ code: 0 });
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await bank.close();
});

const ledger = (args: readonly string[], settings: Readonly<Record<string, string>> = {}) =>
  runInProcess(reelbook, ['ledger', ...args], { DATA_DIR: join(folder, 'none'), ...settings });

/** The forgery of an insider with the site's key: the last anchor in another slot, with everything that depends on it, signed. */
function forgedBySite(): string {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  const { manifest } = JSON.parse(lines.pop() ?? '');
  const at = lines.findLastIndex((line) => line.includes('SealAnchored'));
  let previous = '';
  const events = lines.map((line, i) => {
    const event = JSON.parse(line);
    if (i < at) return line;
    const previous_hash = i === at ? event.previous_hash : previous;
    const body = i === at ? event.body.replace('"slot":', '"slot":9') : event.body;
    previous = eventHash(previous_hash, body);
    return JSON.stringify({ ...event, previous_hash, body, hash: previous });
  });
  const text = `${events.join('\n')}\n`;
  const { signature: _, ...unsigned } = {
    ...manifest,
    sha256: createHash('sha256').update(text).digest('hex'),
    head: { ...manifest.head, hash: previous },
  };
  const signature = signText(manifestText(unsigned), bank.site.receiptKey);
  const path = join(folder, 'forged.jsonl');
  writeFileSync(path, `${text}${JSON.stringify({ manifest: { ...unsigned, signature } })}\n`);
  return path;
}

test('prints the anchors of an export, looks them up with an RPC, and reports those that the chain contradicts', async () => {
  const key = ['--key', publicKeyOf(bank.site.receiptKey)];
  const onChain = ['--rpc', bank.chain.local.url];
  const nowhere = ['--rpc', 'http://127.0.0.1:1'];
  const [requested, unasked, away, forged] = await Promise.all([
    ledger(['verify', file, ...key, ...onChain]),
    ledger(['verify', file, ...key]),
    ledger(['verify', file, ...key, ...nowhere]),
    ledger(['verify', forgedBySite(), ...key, ...onChain]),
  ]);
  expect(requested).toMatchObject({ code: 0, output: expect.stringContaining('VALID') });
  expect(requested.output).toContain('found on the chain, with this memo');
  expect(requested.output).toContain(`by ${bank.chain.treasury.address}`);
  expect(unasked).toMatchObject({ code: 0, output: expect.stringContaining('not looked up') });
  expect(unasked.output).toMatch(/memo "reelbook-anchor-1 seals 1-1 root [0-9a-f]{64} all/);
  expect(away).toMatchObject({ code: 3, output: expect.stringContaining('UNPROVEN') });
  expect(forged).toMatchObject({ code: 1, output: expect.stringContaining('FAULTY') });
  expect(forged.output).toContain('FAULT: the transaction is in another slot');
});
