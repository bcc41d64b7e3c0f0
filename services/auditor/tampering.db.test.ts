import { readFileSync } from 'node:fs';
import { auditLedger } from '@reelbook/audit/audit';
import { type Finding, type Findings, groupFindings } from '@reelbook/audit/findings';
import { checkProjections } from '@reelbook/audit/projections-check';
import { startExecutor } from '@reelbook/event-store/execute';
import { loadState } from '@reelbook/event-store/read-stream';
import { checkReceipt } from '@reelbook/games/proofs/check-receipt';
import type { Receipt } from '@reelbook/games/proofs/receipt';
import { publicKeyOf } from '@reelbook/games/proofs/signature';
import { TREASURY_STREAM } from '@reelbook/ledger/streams';
import { treasuryDecider } from '@reelbook/ledger/treasury/decide';
import { projections } from '@reelbook/projections/all';
import { REPOSITORY } from '@reelbook/runtime/repository';
import { BSM, type PayingSite, startPayingSite } from '@reelbook/simulator/stages/paying-site';
import type { TestPlayer } from '@reelbook/simulator/stages/site';
import { ALL_TABLES, tamperWith } from '@reelbook/testing/tamper';
import type { Victim } from '@reelbook/testing/tampering-actions';
import { TAMPER_CASES, type TamperCase } from '@reelbook/testing/tampering-cases';
import type pg from 'pg';
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
    pool: site.pool,
    vault: site.vault,
    thief: thief.wallet.address,
    fresh: fresh.wallet.address,
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

async function audited(): Promise<Findings> {
  const { pool, vault } = victim;
  return (await auditLedger({ pool, vault, onProgress: () => {} })).findings;
}

const textOf = ({ check, message }: Finding) => `${check}: ${message}`;
const findingsOf = async () => (await audited()).kept.map(textOf);
const causesOf = (findings: Findings) => groupFindings(findings).map(({ cause }) => textOf(cause));

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

async function tampered<T>(
  all: readonly Pick<TamperCase, 'tamper' | 'undo'>[],
  look: () => Promise<T>,
): Promise<T> {
  const owner = bank.site.database.pool('owner', 1);
  const change = async (client: pg.PoolClient) => {
    for (const { tamper } of all) await tamper(client, victim);
  };
  try {
    return await tamperWith(owner, change, look, ALL_TABLES);
  } finally {
    for (const { undo } of all) if (undo) await owner.query(undo);
  }
}

/** Groups of the cases that tamper with several rows; one of any other. */
const ROWS: Readonly<Record<string, number>> = {
  'a seed deleted, after rounds were drawn from it': 2,
  'seeds deleted, before a round was drawn from them': 4,
  'all movements of the treasury deleted': 2,
  'a movement of a credited deposit marked as dust': 2,
  'the sessions of two players exchanged': 2,
  'the kind of sign-in of a session changed': 3,
  'a session refreshed a year after its login': 3,
};
/** Cases without a common account or row. */
const INDEPENDENT = [
  'the triggers of the events disabled',
  'a policy that hides a win from the auditor',
  'an event edited',
  'the checkpoint of a read model set beyond the ledger',
  'a balance in a current state raised',
  'the margin in the head raised',
  'seeds deleted, before a round was drawn from them',
  'an incoming movement without a credit marked as recorded',
  'an admin added by a part of the system that adds none',
  'an act of an operator without a sign-in',
  'a session inserted for a wallet that never logged in',
  'a session inserted for a player',
  'an event deleted',
  'the kind of sign-in of a session changed',
  'the privilege to write events granted to the public',
].map((name) => {
  const found = TAMPER_CASES.find((one) => one.name === name);
  if (!found) throw new Error(`there is no case ${name}`);
  return found;
});

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
    const findings = await tampered([one], audited);
    expect(findings.kept.map(textOf)).toContainEqual(expect.stringMatching(namedBy));
    expect(causesOf(findings)).toHaveLength(ROWS[one.name] ?? 1);
  });
});

describe('independent tamperings are separate groups', () => {
  const pairs = INDEPENDENT.map((one, i) => [one, INDEPENDENT.at(i - 1) ?? one] as const);
  const named = pairs.map(([one, other]) => [one.name, other.name, [one, other]] as const);
  it.each(named)('%s; %s', async (_one, _other, both) => {
    const alone: string[] = [];
    for (const one of both) alone.push(...causesOf(await tampered([one], audited)));
    // What is appended by the first case moves the head, which the second may name.
    const same = (text: string) => text.replace(/ends at #\d+/, '');
    const found = causesOf(await tampered(both, audited));
    expect(found.map(same).sort()).toEqual(alone.map(same).sort());
  });

  it('an edited event, the state of another player and a row of a third one', async () => {
    const row = (sign: string): Pick<TamperCase, 'tamper' | 'undo'> => ({
      tamper: (client, { fresh }) =>
        client.query(
          `update projections.balances_v1 set points = points ${sign} 7 where wallet = $1`,
          [fresh],
        ),
    });
    const names = ['an event edited', 'a balance in a current state raised'];
    const cases = INDEPENDENT.filter(({ name }) => names.includes(name));
    const projector = bank.site.database.pool('projector', 6);
    const causes = await tampered([...cases, row('+')], async () => {
      const findings = await audited();
      await checkProjections({ pool: projector, projections, findings, onProgress() {} });
      return causesOf(findings).filter((text) => !text.endsWith('tampered with'));
    });
    await tampered([row('-')], async () => {});
    expect(causes).toEqual([
      expect.stringMatching(/^chain: its hash does not match/),
      expect.stringMatching(/^streams: the state of player-\S+ is not the fold/),
      expect.stringMatching(/^projections: balances_v1 at #\d+: row \S+: points is/),
    ]);
  });
});

describe('ledger alone: not seen', () => {
  const unseen = TAMPER_CASES.filter(({ namedBy }) => namedBy === null);
  const needing = unseen.map((one) => [one.name, one.otherwise, one] as const);
  it.each(needing)('%s; needs: %s', async (_name, _needs, one) => {
    const positions = receipt.events.map(({ position }) => position);
    const { findings, missing, chain } = await tampered([one], async () => ({
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
