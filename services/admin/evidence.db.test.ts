import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sealDue } from '@reelbook/auditor/seal';
import { startExecutor } from '@reelbook/event-store/execute';
import { type Evidence, evidenceText, verifyEvidence } from '@reelbook/games/proofs/evidence';
import { publicKeyOf, signText } from '@reelbook/games/proofs/signature';
import {
  type AdminSite,
  startAdminSite,
  type TestOperator,
} from '@reelbook/simulator/stages/admin-site';
import { startSite, type TestPlayer, type TestSite } from '@reelbook/simulator/stages/site';
import { untilCaughtUp } from '@reelbook/testing/caught-up';
import { runInProcess } from '@reelbook/testing/run-program';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reelbook } from '../cli/program.ts';

const ASKED = 'asked for by phone';
const CHECKED = 'checked with the recording';
const folder = mkdtempSync(join(tmpdir(), 'reelbook-evidence-'));

let site: TestSite;
let admin: AdminSite;
let bob: TestOperator;
let anna: TestPlayer;
let round: string;
let adjusted: number;
beforeAll(async () => {
  site = await startSite();
  admin = await startAdminSite(site);
  bob = await admin.add('operator');
  anna = await site.login();
  const body = { bet_amount: 1, lines: 25 };
  round = (await anna.call<{ round_id: string }>('/game/slot-machine/bet', { body })).data.round_id;
  const executor = startExecutor({ pool: site.pool, onAppended: () => site.bus.nudge() });
  await sealDue({ pool: site.pool, executor, terms: { everyEvents: 16_384, everyMs: 0 } });
  await executor.close();
  adjusted = await adjustByTwo();
  await untilCaughtUp(site.pool);
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await admin.close();
  await site.close();
});

async function adjustByTwo(): Promise<number> {
  const path = `/admin/players/${anna.wallet.address}/adjustments`;
  const amount = { asset: 'points', minor: '5000000' };
  const proposed = await admin.by.operator.call<{ proposal: number }>(path, {
    body: { amount, reason: ASKED },
  });
  const approve = `/admin/proposals/${proposed.data.proposal}/approve`;
  expect((await bob.call(approve, { body: { reason: CHECKED } })).status).toBe(200);
  const found = await site.pool.query<{ position: number }>(
    "select position from events where type = 'BalanceAdjusted'",
  );
  return found.rows[0]?.position ?? 0;
}

async function evidenceOf(query: string): Promise<Evidence> {
  const { status, message, data } = await admin.by.viewer.call<Evidence>(
    `/admin/evidence?${query}`,
  );
  expect({ status, message }).toEqual({ status: 200, message: expect.anything() });
  return data;
}

const siteKey = () => publicKeyOf(site.receiptKey);
const verify = (evidence: Evidence) => verifyEvidence(evidence, siteKey());
const messagesOf = (evidence: Evidence) => verify(evidence).faults.map(({ message }) => message);

/** The forgery of an insider with the site's key. */
function signed(evidence: Evidence): Evidence {
  return { ...evidence, signature: signText(evidenceText(evidence), site.receiptKey) };
}

const command = (...args: readonly string[]) =>
  runInProcess(reelbook, ['verify', ...args], { DATA_DIR: join(folder, 'none') });

test('evidence of a round has its events, causes and proofs, signed by the site', async () => {
  const evidence = await evidenceOf(`of=round&id=${round}`);
  const { faults, signed: by, sealed } = verify(evidence);
  expect({ faults, by }).toEqual({ faults: [], by: 'by the given key' });
  expect(sealed).toBeGreaterThanOrEqual(4);
  const types = evidence.events.map(({ body }) => JSON.parse(body).type);
  expect(types).toEqual(expect.arrayContaining(['SeedsCommitted', 'BetPlaced']));
  expect(types.filter((type) => /^Bet(Won|Lost)$/.test(type))).toHaveLength(1);
  expect(evidence.links.map(({ relation }) => relation)).toContain('seeds');
});

test('evidence of an adjustment names both operators and both reasons', async () => {
  const evidence = await evidenceOf(`of=event&id=${adjusted}`);
  expect(verify(evidence).faults).toEqual([]);
  const own = evidence.decisions.filter(({ type }) => /^(Proposed|Approved)$/.test(type));
  const by = (operator: TestOperator) => `operator:${operator.wallet.address}`;
  expect(own).toMatchObject([
    { by: by(admin.by.operator), reason: ASKED },
    { by: by(bob), reason: CHECKED },
  ]);
  expect(evidence.links).toContainEqual({
    from: expect.any(Number),
    to: adjusted,
    relation: 'proposal',
  });
});

test('evidence of a player has the events of a range; what is not in the ledger is refused', async () => {
  const wallet = anna.wallet.address;
  const all = await evidenceOf(`of=player&id=${wallet}`);
  expect(verify(all)).toMatchObject({ faults: [], signed: 'by the given key' });
  const part = await evidenceOf(`of=player&id=${wallet}&from=${adjusted}`);
  expect(verify(part).faults).toEqual([]);
  expect(part.events.length).toBeLessThan(all.events.length);
  for (const query of [
    'of=round&id=none',
    'of=event&id=999999',
    'of=event&id=x',
    'of=player&id=x',
  ]) {
    expect(await admin.by.viewer.call(`/admin/evidence?${query}`)).toMatchObject({ status: 404 });
  }
  expect(await admin.by.viewer.call('/admin/evidence?of=all&id=1')).toMatchObject({ status: 400 });
});

test('any altered part is a fault, even if the site signed it again', async () => {
  const evidence = await evidenceOf(`of=event&id=${adjusted}`);
  const { events, decisions, subject } = evidence;
  const [first, ...more] = events;
  if (!first) throw new Error('no events');
  expect(messagesOf({ ...evidence, made_at: '2020-01-01T00:00:00.000Z' })).toEqual([
    'the signature of the evidence is not valid',
  ]);
  expect(verifyEvidence(evidence, 'ab'.repeat(32)).faults).toHaveLength(1);
  expect(verifyEvidence({ ...evidence, signature: null }, null)).toMatchObject({
    signed: 'unsigned',
    faults: [],
  });
  const altered = { ...first, body: first.body.replace('"time":', '"tame":') };
  expect(verify(signed({ ...evidence, events: [altered, ...more] })).faults[0]).toMatchObject({
    position: first.position,
    message: expect.stringContaining('does not follow'),
  });
  const invented = decisions.map((one) => ({ ...one, reason: 'none' }));
  expect(messagesOf(signed({ ...evidence, decisions: invented }))).toEqual([
    'its decisions and reasons differ from those in the texts of the events',
  ]);
  const other = { ...subject, id: '999999' };
  expect(messagesOf(signed({ ...evidence, subject: other }))).toEqual([
    'it has no event of its subject, event 999999',
  ]);
  const cut = events.filter(({ position }) => position !== adjusted);
  expect(messagesOf(signed({ ...evidence, events: cut })).join()).toMatch(/is not in the file/);
  const twice = [first, first, ...more];
  expect(messagesOf(signed({ ...evidence, events: twice })).join()).toMatch(/it is after/);
  const broken = { ...evidence, events: [null] } as unknown as Evidence;
  expect(messagesOf(broken).join()).toMatch(/it cannot be read/);
});

test('the command verifies the file, prints decisions and finds an altered event', async () => {
  const evidence = await evidenceOf(`of=event&id=${adjusted}`);
  const file = join(folder, 'evidence.json');
  writeFileSync(file, JSON.stringify(evidence, null, 2));
  const forged = join(folder, 'forged.json');
  const text = JSON.stringify(evidence).replaceAll(CHECKED, CHECKED.toUpperCase());
  writeFileSync(forged, text);
  const [valid, unknown, faulty] = await Promise.all([
    command(file, '--key', siteKey()),
    command(file),
    command(forged, '--key', siteKey()),
  ]);
  expect(valid).toMatchObject({ code: 0, output: expect.stringContaining('VALID') });
  expect(valid.output).toContain(`by operator:${bob.wallet.address}: ${CHECKED}`);
  expect(unknown).toMatchObject({ code: 3, output: expect.stringContaining('UNPROVEN') });
  expect(faulty).toMatchObject({
    code: 1,
    output: expect.stringMatching(/FAULT {6}#\d+: the hash/),
  });
});
