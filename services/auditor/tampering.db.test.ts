import { readFileSync } from 'node:fs';
import { auditLedger } from '@reelbook/audit/audit';
import { ALL_TABLES, tamperWith } from '@reelbook/audit/tamper';
import type { Victim } from '@reelbook/audit/tampering-actions';
import { TAMPER_CASES, type TamperCase } from '@reelbook/audit/tampering-cases';
import { startExecutor } from '@reelbook/event-store/execute';
import { loadState } from '@reelbook/event-store/read-stream';
import { checkReceipt } from '@reelbook/games/proofs/check-receipt';
import type { Receipt } from '@reelbook/games/proofs/receipt';
import { publicKeyOf } from '@reelbook/games/proofs/signature';
import { TREASURY_STREAM } from '@reelbook/ledger/streams';
import { treasuryDecider } from '@reelbook/ledger/treasury/decide';
import { REPOSITORY } from '@reelbook/runtime/repository';
import { BSM, type PayingSite, startPayingSite } from '@reelbook/simulator/stages/paying-site';
import type { TestPlayer } from '@reelbook/simulator/stages/site';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { sealDue } from './seal.ts';

let bank: PayingSite;
let victim: Victim;
/** Of the last round, which no seal covers, as its player received it. */
let receipt: Receipt;

beforeAll(async () => {
  bank = await startPayingSite();
  const { site } = bank;
  const [ann, thief] = [await bank.player(100n * BSM), await bank.player(100n * BSM)];
  const cashier = await bank.startCashier({ anchorEveryMs: 0 });
  for (const player of [ann, thief]) {
    await bank.credit(player, 50n * BSM);
    await bet(player);
    await anchor();
  }
  await bank.expectIntact();
  await cashier.close();
  const fresh = await site.login();
  const ended = await site.login(fresh.wallet);
  expect((await ended.call('/auth/logout', { method: 'POST' })).status).toBe(200);
  const round = await bet(ann);
  const { data } = await ann.call<Receipt>(`/fairness/rounds/${round}/receipt`);
  receipt = data;
  // Followers would apply events that a case removes again.
  await site.pool.query("update checkpoints set status = 'stopped', error = 'tampered with'");
  victim = {
    ...{ pool: site.pool, vault: site.vault },
    ...{ thief: thief.wallet.address, fresh: fresh.wallet.address },
    tokenAccount: await scannedAccount(),
  };
});
afterAll(() => bank.close());

async function scannedAccount(): Promise<string> {
  const { rows } = await bank.site.pool.query<{ token_account: string }>(
    'select token_account from treasury_scans',
  );
  return rows[0]?.token_account ?? '';
}

async function bet(player: TestPlayer): Promise<string> {
  const body = { bet_amount: 1 };
  const path = '/game/slot-machine/bet';
  const { status, data } = await player.call<{ round_id: string }>(path, { body });
  expect(status).toBe(200);
  return data.round_id;
}

/** Seals everything and waits for its anchor. */
async function anchor(): Promise<void> {
  const { pool } = bank.site;
  const executor = startExecutor({ pool, onAppended: () => bank.site.bus.nudge() });
  const sealed = await sealDue({ pool, executor, terms: { everyEvents: 16_384, everyMs: 0 } });
  await executor.close();
  await bank.until(async () => {
    const { state } = await loadState(pool, treasuryDecider, TREASURY_STREAM);
    expect(state.anchoredSeal).toBe(sealed?.seal);
  });
}

async function findingsOf(): Promise<readonly string[]> {
  const { pool, vault } = victim;
  const { findings } = await auditLedger({ pool, vault, onProgress: () => {} });
  return findings.kept.map(({ check, message }) => `${check}: ${message}`);
}

/** Positions of the receipt's events that the ledger does not have with this text and hash. */
async function missingOfReceipt(): Promise<readonly number[]> {
  const missing: number[] = [];
  for (const { position, body, hash } of receipt.events) {
    const { rowCount } = await victim.pool.query(
      `select from events where position = $1 and body::text = $2 and hash = decode($3, 'hex')`,
      [position, body, hash],
    );
    if (rowCount === 0) missing.push(position);
  }
  return missing;
}

async function tampered<T>({ tamper, undo }: TamperCase, look: () => Promise<T>): Promise<T> {
  const owner = bank.site.database.pool('owner', 1);
  try {
    return await tamperWith(owner, (client) => tamper(client, victim), look, ALL_TABLES);
  } finally {
    if (undo) await owner.query(undo);
  }
}

test('the untampered ledger is clean, and the receipt matches it', async () => {
  expect(await findingsOf()).toEqual([]);
  const key = publicKeyOf(bank.site.receiptKey);
  expect(checkReceipt(receipt, key).filter(({ state }) => state === 'fails')).toEqual([]);
  expect(receipt.events.length).toBeGreaterThan(0);
  expect(await missingOfReceipt()).toEqual([]);
});

describe('named by the ledger alone', () => {
  const named = TAMPER_CASES.flatMap((one) =>
    one.namedBy ? [[one.name, one, one.namedBy] as const] : [],
  );
  it.each(named)('%s', async (_name, one, namedBy) => {
    const findings = await tampered(one, findingsOf);
    expect(findings).toContainEqual(expect.stringMatching(namedBy));
  });
});

describe('ledger alone: not seen', () => {
  const unseen = TAMPER_CASES.filter(({ namedBy }) => namedBy === null);
  const needing = unseen.map((one) => [one.name, one.otherwise, one] as const);
  it.each(needing)('%s; needs: %s', async (_name, _needs, one) => {
    const positions = receipt.events.map(({ position }) => position);
    const { findings, missing, chain } = await tampered(one, async () => ({
      findings: await findingsOf(),
      missing: await missingOfReceipt(),
      chain: await bank.audit(),
    }));
    expect(findings).toEqual([]);
    // With the chain: exactly what the table has.
    expect(chain.verdict).toBe(one.otherwise === 'chain' ? 'FAULTY' : 'CLEAN');
    if (one.byChain) expect(chain.messages).toContainEqual(expect.stringMatching(one.byChain));
    // Every event of the round, whose signature and hashes are valid; the seeds were committed before.
    if (one.otherwise === 'receipts') expect(missing).toEqual(positions.slice(2));
    if (one.otherwise === 'nothing') expect(missing).toEqual([]);
  });
});

test('docs/tampering.md has these rows, in this order, each with its finding', () => {
  const text = readFileSync(`${REPOSITORY}docs/tampering.md`, 'utf8');
  const rows = text
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (---|what was done) /.test(line))
    .map((line) => line.split('|').map((cell) => cell.trim()));
  expect(rows.map(([, name]) => name)).toEqual(TAMPER_CASES.map(({ name }) => name));
  for (const [i, { namedBy, otherwise = '', byChain }] of TAMPER_CASES.entries()) {
    const [, name, finding = '', other = ''] = rows[i] ?? [];
    // The table has the finding as code; nothing if there is no finding.
    const words = /^`(.*)`$/.exec(finding)?.[1] ?? '';
    if (namedBy) expect(words, name).toMatch(namedBy);
    else expect(finding, name).toBe('not seen');
    expect(other.split(':')[0], name).toBe(otherwise);
    expect(otherwise === 'chain', name).toBe(byChain !== undefined);
    if (byChain) expect(/^chain: `(.*)`$/.exec(other)?.[1], name).toMatch(byChain);
  }
});
