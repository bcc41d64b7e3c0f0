/** A player who knows the seed knows the outcome early. The allowance bounds what an operator can return by voids. */
import { auditLedger } from '@reelbook/audit/audit';
import { describeReport } from '@reelbook/audit/report';
import { openClock } from '@reelbook/event-store/clock';
import { startExecutor } from '@reelbook/event-store/execute';
import { readStream } from '@reelbook/event-store/read-stream';
import { DAY_MS } from '@reelbook/ledger/calendar';
import { defaultConfig } from '@reelbook/ledger/config/config';
import { operatorsDecider } from '@reelbook/ledger/operators/decide';
import type { AllowanceUsed } from '@reelbook/ledger/operators/events';
import { OPERATORS_STREAM } from '@reelbook/ledger/streams';
import { end, eventsIn, play, points, start } from '@reelbook/simulator/client/timed-play';
import { workOut } from '@reelbook/simulator/client/work-out';
import {
  type AdminSite,
  startAdminSite,
  type TestOperator,
} from '@reelbook/simulator/stages/admin-site';
import { startSite, type TestPlayer, type TestSite } from '@reelbook/simulator/stages/site';
import { untilCaughtUp } from '@reelbook/testing/caught-up';
import { atNoon, NOON, notOfFakeClock } from '@reelbook/testing/fake-clock';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AdminData } from './answers.ts';
import { changeConfig } from './change-config.ts';

const ROUNDS = 150;
const FRIENDS = 3;
const STAKE = 10;
const reason = 'the page did not load';
const NEVER_MS = 3_600_000;

let site: TestSite;
let admin: AdminSite;
let ann: TestOperator;
let bob: TestOperator;
beforeAll(async () => {
  // Timed rounds stay open during the tests.
  site = await startSite({
    sweep: { everyMs: 100, graceMs: NEVER_MS },
    prepare: atNoon,
  });
  admin = await startAdminSite(site);
  ann = admin.by.operator;
  bob = await admin.add('operator');
});
afterAll(async () => {
  await admin?.close();
  await site?.close();
});

interface Done {
  readonly proposal: number | null;
  readonly status: string;
  readonly error?: string;
}
const voidRound = (by: TestOperator, player: TestPlayer, round: string, key?: string) =>
  by.call<Done>(`/admin/players/${player.wallet.address}/rounds/${round}/void`, {
    body: { reason },
    ...(key === undefined ? {} : { key }),
  });
const approve = (by: TestOperator, number: number | null) =>
  by.call<Done>(`/admin/proposals/${number}/approve`, { body: { reason } });
const startOne = async (player: TestPlayer, game = 'snake') => (await start(player, game)).data;

/** Daily allowance of one operator in points. Tests only lower it. */
async function setAllowance(wholePoints: number): Promise<void> {
  const { pool } = site;
  const executor = startExecutor({ pool, fromEvents: true });
  const done = await changeConfig(
    { pool, executor, clock: openClock(pool), knownRules: {} },
    {
      changes: [{ path: 'adjust.operatorDayMaxPointsMinor', value: String(wholePoints * 100) }],
      reason: 'a test',
      actor: 'system:config-command',
      correlation: 'test',
      request: wholePoints,
      idempotencyKey: `test:allowance:${wholePoints}`,
      version: null,
      mayWelcome: true,
    },
  );
  await executor.close();
  expect(done).toHaveProperty('version');
}

const allowancesOf = async ({ wallet }: TestOperator) => {
  const from = { stream: OPERATORS_STREAM, fromVersion: 1, limit: 1_000 };
  const events = await readStream(site.pool, from);
  return events
    .flatMap(({ event }) =>
      event.type === 'AllowanceUsed' ? [event.data as AllowanceUsed['data']] : [],
    )
    .filter(({ operator }) => operator === wallet.address);
};

test('voids and adjustments share one allowance', async () => {
  const [player, dora] = [await site.login(), await admin.add('operator')];
  const { singleOperatorMaxPointsMinor } = defaultConfig.adjust;
  const minor = String(singleOperatorMaxPointsMinor - 999n);
  const amount = { asset: 'points', minor };
  const path = `/admin/players/${player.wallet.address}/adjustments`;
  const adjusted = await dora.call<Done>(path, { body: { amount, reason } });
  expect(adjusted.data.proposal).toBeNull();
  const { round_id } = await startOne(player);
  expect((await voidRound(dora, player, round_id)).data.proposal).not.toBeNull();
});

test('a voided round refuses each late end alike, and its keys have no outcome', async () => {
  const [player, dora] = [await site.login(), await admin.add('operator')];
  const started = await startOne(player);
  const { round_id } = started;
  expect((await voidRound(dora, player, round_id)).data.proposal).toBeNull();
  for (const key of ['late', 'late', 'later', undefined]) {
    const { message } = await play(player, started.game, workOut(started).figures, key);
    expect([key, message]).toEqual([key, expect.stringContaining('cancelled this round')]);
    if (key === undefined) continue;
    expect((await player.call(`/user/commands/${key}`)).data).toEqual({
      status: 'none',
      position: null,
      result: null,
    });
  }
});

/** The state after a crash between the count and the action. */
async function count(
  { operator, key }: { readonly operator: string; readonly key: string },
  request: { readonly player: string; readonly minor: string; readonly round?: string },
): Promise<void> {
  const { minor, ...what } = request;
  const executor = startExecutor({ pool: site.pool });
  const day = Math.floor(Date.parse(NOON) / DAY_MS);
  const counted = await executor.execute({
    decider: operatorsDecider,
    stream: OPERATORS_STREAM,
    idempotencyKey: `allowance:operator:${operator}:${key}:${day}`,
    request: { ...request, asset: 'points', day },
    meta: { correlation: 'test', actor: `operator:${operator}` },
    prepare: async () => ({
      command: {
        ...({ type: 'UseAllowance', operator, ...what, asset: 'points' } as const),
        deltaMinor: BigInt(minor),
        terms: defaultConfig.adjust,
        day,
      },
      configVersion: null,
    }),
  });
  await executor.close();
  expect(counted.kind).toBe('done');
}

test('two operators counted the void of one round, and the audit reported it as uncounted', async () => {
  const player = await site.login();
  const { round_id: round } = await startOne(player);
  const request = { player: player.wallet.address, minor: String(STAKE * 100), round };
  for (const { wallet } of [bob, admin.by.admin]) {
    await count({ operator: wallet.address, key: 'key-of-both' }, request);
  }
  expect((await voidRound(bob, player, round, 'key-of-both')).data.proposal).toBeNull();
  const { findings } = await auditLedger({ pool: site.pool, vault: null, onProgress: () => {} });
  expect(findings.kept.filter(notOfFakeClock)).toEqual([]);
});

test('a counted allowance is not valid for another action with the same key', async () => {
  const [player, erik] = [await site.login(), await admin.add('operator')];
  const operator = erik.wallet.address;
  await count({ operator, key: 'key-of-two-acts' }, { player: 'another', minor: '1' });
  const { round_id } = await startOne(player);
  const answer = await voidRound(erik, player, round_id, 'key-of-two-acts');
  expect([answer.status, answer.data.error]).toEqual([422, 'idempotency-key-reused']);
  expect(await points(player)).toBe(990);
});

test('an operator who voids losing rounds reaches the daily limit, and then needs another operator', async () => {
  const allowed = 200;
  await setAllowance(allowed);
  const friends = await Promise.all(Array.from({ length: FRIENDS }, () => site.login()));
  const counts = { lost: 0, done: 0, waiting: 0, won: 0 };
  const playOne = async (friend: TestPlayer) => {
    const begun = await startOne(friend);
    const { reward } = workOut(begun);
    if (reward === 0) {
      counts.lost++;
      const { status, data } = await voidRound(ann, friend, begun.round_id);
      expect(status).toBe(200);
      counts[data.proposal === null ? 'done' : 'waiting']++;
      if (data.proposal === null) return;
      // The proposer cannot approve it.
      expect((await approve(ann, data.proposal)).data.error).toBe('proposal-own');
      const again = await voidRound(ann, friend, begun.round_id);
      expect([again.status, again.data.error]).toEqual([409, 'proposed-already']);
      await ann.call(`/admin/proposals/${data.proposal}/withdraw`, { body: { reason } });
    } else counts.won += reward;
    await end(friend, begun);
  };
  await Promise.all(
    friends.map(async (friend) => {
      for (let n = 0; n < ROUNDS / FRIENDS; n++) await playOne(friend);
    }),
  );
  const used = await allowancesOf(ann);
  expect(used).toHaveLength(counts.done);
  for (const { usedAfter } of used) {
    expect(usedAfter.pointsMinor).toBeLessThanOrEqual(BigInt(allowed * 100));
  }
  expect(new Set(used.map(({ day }) => day)).size).toBe(1);
  expect(counts.done).toBe(allowed / STAKE);
  expect(counts.waiting).toBe(counts.lost - counts.done);
  expect(counts.waiting).toBeGreaterThan(0);
  const left = FRIENDS * 1_000 - (ROUNDS - counts.done) * STAKE + counts.won;
  const owned = await Promise.all(friends.map((friend) => points(friend)));
  expect(owned.reduce((sum, one) => sum + one)).toBe(left);

  const report = await auditLedger({ pool: site.pool, vault: site.vault, onProgress: () => {} });
  expect(report.findings.kept.filter(notOfFakeClock)).toEqual([]);
  const by = `operator:${ann.wallet.address}`;
  expect(report.voids.get(by)).toEqual({
    count: counts.done,
    returnedMinor: BigInt(counts.done * STAKE * 100),
    wouldHavePaidMinor: 0n,
    awaitingReveal: 0,
  });
  expect(describeReport(report, null, 1, 'a test')).toContain(
    `voids     ${counts.done} by ${by}: ${counts.done * STAKE} points returned, would have paid 0 points\n`,
  );
});

test('of two concurrent voids at the limit, one is done and the other waits', async () => {
  for (let n = 0; n < 4; n++) {
    const carl = await admin.add('operator');
    await setAllowance(STAKE + 9 - n);
    const players = await Promise.all([site.login(), site.login()]);
    const begun = await Promise.all(players.map((player) => startOne(player)));
    const answers = await Promise.all(
      players.map((player, i) => voidRound(carl, player, begun[i]?.round_id ?? '')),
    );
    expect(answers.filter(({ data }) => data.proposal === null)).toHaveLength(1);
  }
});

test('two operators void one round concurrently: one proposes it', async () => {
  await setAllowance(1);
  for (let n = 0; n < 4; n++) {
    const player = await site.login();
    const { round_id } = await startOne(player);
    const answers = await Promise.all([ann, bob].map((by) => voidRound(by, player, round_id)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(await points(player)).toBe(990);
  }
});

test('a void approved by another operator is done and records both', async () => {
  await setAllowance(0);
  const player = await site.login();
  const begun = await startOne(player, 'tetris');
  const { proposal } = (await voidRound(ann, player, begun.round_id)).data;
  const listed = async () =>
    (await admin.by.viewer.call<AdminData<'proposals'>>('/admin/proposals')).data.filter(
      (one) => one.player?.wallet === player.wallet.address,
    );
  expect(await listed()).toMatchObject([
    {
      ...{ number: proposal, kind: 'void', reason, by: `operator:${ann.wallet.address}` },
      effect: { type: 'BetVoided', facts: { stake: { minor: String(STAKE * 100) } } },
    },
  ]);
  expect(await points(player)).toBe(990);
  await untilCaughtUp(site.pool);
  const round = () =>
    bob.call<AdminData<'eventRound'>>(`/admin/events/${begun.bet_position}/round`, {
      method: 'GET',
    });
  expect((await round()).data).toMatchObject({ status: 'open', recomputed: { payout: null } });
  expect((await approve(bob, proposal)).data.status).toBe('executed');
  expect([await points(player), await listed()]).toEqual([1_000, []]);
  const events = await eventsIn(site, player);
  expect(events.map(({ event }) => event.type).slice(-2)).toEqual(['BetPlaced', 'BetVoided']);
  expect(events.at(-1)?.event.data).toMatchObject({
    by: `operator:${ann.wallet.address}`,
    reason,
    proposal: { number: proposal, approvals: [`operator:${bob.wallet.address}`] },
  });
  await untilCaughtUp(site.pool);
  // The console computes from the encrypted seed what it would have paid.
  const { data } = await round();
  const minor = String(workOut(begun).reward * 100);
  expect(data).toMatchObject({ status: 'voided', server_seed: null });
  expect(data.recomputed).toMatchObject({ result: 'voided', by: 'sealed seed', payout: { minor } });
});

test('a void whose round was settled meanwhile is shown as outdated and not approved', async () => {
  await setAllowance(0);
  const player = await site.login();
  const begun = await startOne(player);
  const { proposal } = (await voidRound(ann, player, begun.round_id)).data;
  await end(player, begun);
  const { data } = await admin.by.viewer.call<AdminData<'proposals'>>('/admin/proposals');
  expect(data.find(({ number }) => number === proposal)).toMatchObject({ effect: null });
  expect((await approve(bob, proposal)).data.error).toBe('round-not-open');
});

test('the audit passes after all voids, with and without seeds', async () => {
  for (const vault of [site.vault, null]) {
    const { findings } = await auditLedger({ pool: site.pool, vault, onProgress: () => {} });
    expect(findings.kept.filter(notOfFakeClock)).toEqual([]);
  }
});
