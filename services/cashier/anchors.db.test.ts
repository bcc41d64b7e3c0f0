import { sealDue } from '@reelbook/auditor/seal';
import type { EventProof, LedgerSeal } from '@reelbook/contract/player/fairness';
import { startExecutor } from '@reelbook/event-store/execute';
import { loadState, readStream } from '@reelbook/event-store/read-stream';
import { createRootFold } from '@reelbook/games/fairness/merkle';
import { anchorRequest, findOnChainFault } from '@reelbook/games/proofs/anchor';
import { checkEvent } from '@reelbook/games/proofs/check-event';
import { checkOnChain } from '@reelbook/games/proofs/check-receipt';
import { SEALS_STREAM, TREASURY_STREAM } from '@reelbook/ledger/streams';
import { treasuryDecider } from '@reelbook/ledger/treasury/decide';
import type { SealAnchored } from '@reelbook/ledger/treasury/events';
import { dieAt, SHORT_LEASE_MS } from '@reelbook/simulator/faults/dying-cashier';
import { type PayingSite, startPayingSite } from '@reelbook/simulator/stages/paying-site';
import type { TestPlayer } from '@reelbook/simulator/stages/site';
import { forge, tamperWith } from '@reelbook/testing/tamper';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { CrashPoint } from './context.ts';

const BLOCKHASH_BLOCKS = 151;
const HOUR_MS = 3_600_000;

let bank: PayingSite;
let ann: TestPlayer;
beforeAll(async () => {
  bank = await startPayingSite();
  ann = await bank.site.login();
});
afterAll(() => bank.close());
afterEach(() => bank.chain.local.faults.clear());

/** Seals all events. @returns the number of the seal. */
async function seal(): Promise<number> {
  await ann.call('/game/slot-machine/bet', { body: { bet_amount: 1 } });
  const executor = startExecutor({ pool: bank.site.pool, onAppended: () => bank.site.bus.nudge() });
  const terms = { everyEvents: 16_384, everyMs: 0 };
  const sealed = await sealDue({ pool: bank.site.pool, executor, terms });
  await executor.close();
  expect(sealed).not.toBeNull();
  return sealed?.seal ?? 0;
}
const anchored = async () =>
  (await loadState(bank.site.pool, treasuryDecider, TREASURY_STREAM)).state.anchoredSeal;
const reaches = (number: number) => bank.until(async () => expect(await anchored()).toBe(number));

/** The audit with the chain. */
const audit = async () => (await bank.audit()).report;
/** The newest anchor of the ledger. */
async function lastAnchor(): Promise<SealAnchored['data']> {
  const last = [...(await audit()).ledgerSide.anchors.values()].at(-1)?.data;
  if (!last) throw new Error('there is an anchor');
  return last;
}

/** The response of a Solana RPC for an anchor, without our own client. */
async function askChain(signature: string): Promise<unknown> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify(anchorRequest({ signature }));
  return (await fetch(bank.chain.local.url, { method: 'POST', headers, body })).json();
}

test('seals are anchored together, and a player verifies an event up to the chain', async () => {
  expect(await seal()).toBe(1);
  const { data: bet } = await ann.call<{ bet_position: number }>('/game/slot-machine/bet', {
    body: { bet_amount: 1 },
  });
  await seal();
  const newest = await seal();
  // The proof that the player reads is of the read model.
  await bank.until(async () => {
    const { data: seals } = await bank.site.call<LedgerSeal[]>('/fairness/seals');
    expect(seals).toHaveLength(newest);
  });
  const cashier = await bank.startCashier({ anchorEveryMs: 0 });
  await reaches(newest);
  await cashier.close();
  await bank.until(async () => {
    const { data: seals } = await bank.site.call<LedgerSeal[]>('/fairness/seals');
    expect(new Set(seals.map(({ anchor_signature }) => anchor_signature)).size).toBe(1);
    expect(seals[0]?.anchor_signature).toMatch(/^\w{80,90}$/);
  });
  const { data: proof } = await ann.call<EventProof>(`/user/events/${bet.bet_position}`);
  expect(checkEvent(proof).map(({ name, state }) => [name, state])).toEqual([
    ['chain', 'passes'],
    ['commitment', 'passes'],
    ['inclusion', 'passes'],
    ['anchor', 'passes'],
  ]);
  const anchor = proof.inclusion?.anchor;
  if (!anchor) throw new Error('it is anchored');
  expect(anchor).toMatchObject({ from_seal: 1, seal: newest, wallet: bank.chain.treasury.address });
  const answer = await askChain(anchor.signature);
  expect(findOnChainFault(anchor, answer)).toBeNull();
  expect(findOnChainFault({ ...anchor, memo: `${anchor.memo} ` }, answer)).toContain('different');
  expect(findOnChainFault({ ...anchor, wallet: ann.wallet.address }, answer)).toContain('signed');
  expect(findOnChainFault(anchor, await askChain('5'.repeat(87)))).toContain('no such');
  expect(checkOnChain(proof, [answer])).toMatchObject({ name: 'solana', state: 'passes' });
  const another = await askChain(await bank.chain.local.airdrop(ann.wallet.address, 10n ** 9n));
  expect(checkOnChain(proof, [another])).toMatchObject({ state: 'fails' });
  expect(checkOnChain(proof, [another, answer])).toMatchObject({ state: 'passes' });
  const { commitment: _, ...alone } = proof;
  expect(checkOnChain({ ...alone, inclusion: null }, [answer])).toMatchObject({ state: 'open' });
  const other = { ...proof, inclusion: { ...proof.inclusion, anchor: { ...anchor, slot: 1 } } };
  expect(checkEvent(other).at(-1)).toMatchObject({ name: 'anchor', state: 'fails' });
  const report = await audit();
  expect(report.findings.kept).toEqual([]);
  expect(report.anchors).toMatchObject({ count: 1, seal: newest });
});

test('anchors respect the configured interval, and none are made without it', async () => {
  const before = await anchored();
  await seal();
  for (const anchorEveryMs of [HOUR_MS, null]) {
    const cashier = await bank.startCashier({ anchorEveryMs });
    await cashier.round();
    await cashier.round();
    await cashier.close();
  }
  expect(await anchored()).toBe(before);
});

const points: readonly CrashPoint[] = [
  'memo-signed',
  'memo-sent',
  'memo-seen-final',
  'anchor-recorded',
];
test.each(points)('a cashier killed -9 at %s anchors each seal once', async (point) => {
  const newest = await seal();
  const { count } = (await audit()).anchors;
  await dieAt(bank, point, { anchorEveryMs: 0 });
  const cashier = await bank.startCashier({ anchorEveryMs: 0, leaseMs: SHORT_LEASE_MS });
  await reaches(newest);
  await cashier.close();
  const report = await audit();
  expect(report.findings.kept).toEqual([]);
  expect(report.anchors).toMatchObject({ count: count + 1, seal: newest });
});

test('a changed or emptied read model of seals and anchors changes no anchor', async () => {
  const owner = bank.site.database.pool('owner', 2);
  const tables = ['seals', 'anchors'] as const;
  await owner.query(
    `create function projections.forge_seals() returns trigger language plpgsql as
        $$ begin new.root = repeat('f', 64); return new; end $$;
      create function projections.forge_anchors() returns trigger language plpgsql as
        $$ begin new.anchored_at = now() - interval '1 year'; return new; end $$;`,
  );
  for (const table of tables) {
    await owner.query(
      `create trigger forged before insert or update on projections.ledger_${table}_v2
        for each row execute function projections.forge_${table}()`,
    );
    await owner.query(`update projections.ledger_${table}_v2 set seal = seal`);
  }
  const first = await anchored();
  let newest = await seal();
  // The last anchor is recent in the ledger, whatever the row shows.
  const waiting = await bank.startCashier({ anchorEveryMs: HOUR_MS });
  await waiting.round();
  await waiting.round();
  await waiting.close();
  expect(await anchored()).toBe(first);
  const cashier = await bank.startCashier({ anchorEveryMs: 0 });
  await reaches(newest);
  for (const table of tables) await owner.query(`delete from projections.ledger_${table}_v2`);
  newest = await seal();
  await reaches(newest);
  await cashier.close();
  for (const table of tables) {
    await owner.query(`drop trigger forged on projections.ledger_${table}_v2;
      drop function projections.forge_${table}()`);
  }
  const { findings } = await audit();
  expect(findings.kept.filter(({ check }) => check === 'anchors')).toEqual([]);
  expect((await bank.audit()).messages.join()).not.toContain('anchors');
});

test('a memo that never lands is sent again after its expiry', async () => {
  const newest = await seal();
  bank.chain.local.faults.dropSends(1_000);
  const cashier = await bank.startCashier({ anchorEveryMs: 0 });
  await cashier.round();
  await cashier.round();
  bank.chain.local.advance(BLOCKHASH_BLOCKS);
  bank.chain.local.faults.clear();
  await reaches(newest);
  await cashier.close();
  expect((await audit()).findings.kept).toEqual([]);
});

test.each(points)(
  'two cashiers, one of which stops at %s until its lease expires, anchor each seal once',
  async (point) => {
    const newest = await seal();
    const { count } = (await audit()).anchors;
    let isStopped = false;
    let goOn = () => {};
    const gate = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const at = async (reached: CrashPoint) => {
      if (reached !== point) return;
      isStopped = true;
      await gate;
    };
    const first = await bank.startCashier({ anchorEveryMs: 0, leaseMs: SHORT_LEASE_MS, at });
    await bank.until(() => expect(isStopped).toBe(true));
    const second = await bank.startCashier({ anchorEveryMs: 0 });
    await second.round();
    await reaches(newest);
    goOn();
    await first.close();
    await second.round();
    await second.close();
    const report = await audit();
    expect(report.findings.kept).toEqual([]);
    expect(report.anchors).toMatchObject({ count: count + 1 });
  },
);

type Data = SealAnchored['data'];
const forgeries: readonly [string, string, (honest: Data, last: Data) => Partial<Data>][] = [
  ['names another root', 'the anchored roots differ', () => ({ root: 'f'.repeat(64) })],
  ['hides a seal before it', 'the anchored roots differ', () => ({ sealsRoot: 'f'.repeat(64) })],
  ['covers seals that are not there', 'do not exist', ({ seal: one }) => ({ seal: one + 1 })],
  [
    'was made by a stranger',
    "wallet is not the treasury's",
    () => ({ wallet: ann.wallet.address }),
  ],
  ['never was sent', 'is not on the chain', () => ({ signature: '5'.repeat(87) })],
  ['borrows an older one', 'of another anchor', (_, { signature }) => ({ signature })],
  [
    'borrows an older one',
    'memo on the chain differs',
    (_, { signature, slot }) => ({ signature, slot }),
  ],
];

test.each(forgeries)('an anchor that %s is a finding: %s', async (_what, words, change) => {
  const newest = await seal();
  const last = await lastAnchor();
  const honest = await due(last, newest);
  const forged = { type: 'SealAnchored', data: { ...honest, ...change(honest, last) } };
  const findings = await tamperWith(
    bank.site.database.pool('owner'),
    () => forge(bank.site.pool, TREASURY_STREAM, () => [forged]),
    async () => (await audit()).findings.kept,
  );
  const messages = findings
    .filter(({ check }) => check === 'anchors')
    .map(({ message }) => message);
  expect(messages.join('; ')).toContain(words);
});

/** The anchor that is due now, without its transaction. */
async function due(last: Data, seal: number): Promise<Data> {
  const fromSeal = last.seal + 1;
  const limit = seal - last.seal;
  // From the ledger: the read model may have read the forged head of the previous test.
  const seals = await readStream(bank.site.pool, {
    stream: SEALS_STREAM,
    fromVersion: fromSeal,
    limit,
  });
  const roots = seals.flatMap(({ event }) =>
    event.type === 'LedgerSealed' ? [event.data.root] : [],
  );
  expect(roots).toHaveLength(limit);
  const tree = createRootFold();
  for (const root of roots) tree.push(Buffer.from(root, 'hex'));
  const sealsRoot = Buffer.from(tree.root()).toString('hex');
  const root = roots.at(-1) ?? '';
  return { ...last, fromSeal, seal, root, sealsRoot, signature: '4'.repeat(87) };
}
