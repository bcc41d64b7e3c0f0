/** Gateway, console and commands with READ_DATABASE_URL: a leader and a standby of real Postgres. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AdminSite, startAdminSite } from '@reelbook/simulator/stages/admin-site';
import { startSite, type TestPlayer, type TestSite } from '@reelbook/simulator/stages/site';
import { untilCaughtUp } from '@reelbook/testing/caught-up';
import { runFile } from '@reelbook/testing/run-file';
import { type Replicated, startReplicated } from '@reelbook/testing/standby';
import { WAIT } from '@reelbook/testing/wait';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { AdminData } from './answers.ts';

let replicated: Replicated;
let site: TestSite;
let admin: AdminSite;
let anna: TestPlayer;
let folder: string;
beforeAll(async () => {
  replicated = await startReplicated();
  const { database, standby } = replicated;
  site = await startSite({ database, readUrl: standby.url });
  admin = await startAdminSite(site);
  anna = await site.login();
  for (let i = 0; i < 6; i++) await bet();
  folder = mkdtempSync(join(tmpdir(), 'reelbook-standby-'));
});
afterAll(async () => {
  await admin.close();
  await site.close();
  rmSync(folder, { recursive: true, force: true });
});

/** @returns the position of the bet. */
async function bet(): Promise<number> {
  const body = { bet_amount: 1, lines: 25 };
  const { position, message } = await anna.call('/game/slot-machine/bet', { body });
  if (position === null) throw new Error(message);
  return position;
}

async function untilEqual(): Promise<number> {
  const head = await untilCaughtUp(site.pool);
  await replicated.standby.untilEqual();
  return head;
}

type Who = 'standby' | 'leader';

/** Calls until `who` answers: the standby may lag, and other reads may be counted in between. */
async function answerOf<Data>(who: Who, path: string, o: { known?: number; by?: TestPlayer } = {}) {
  const { answered } = site.standby ?? { answered: { standby: 0, leader: 0 } };
  return vi.waitFor(async () => {
    const before = answered[who];
    const caller = path.startsWith('/admin') ? admin.by.auditor : (o.by ?? anna);
    const answer = await caller.call<Data>(path, { known: o.known ?? 0 });
    expect({ path, status: answer.status, count: answered[who] }).toEqual({
      ...{ path, status: 200, count: before + 1 },
    });
    return answer;
  }, WAIT);
}

const PATHS = () => [
  '/user/notifications',
  '/user/achievements',
  '/user/statement?from=2026-01-01T00:00:00Z&to=2100-01-01T00:00:00Z',
  '/game/slot-machine/history',
  '/game/all/history?status=won',
  '/game/slot-machine/stats',
  '/user/leaderboard/wins',
  '/recent-winnings',
  '/admin/explorer?limit=20',
  '/admin/explorer?after=3',
  `/admin/explorer?wallet=${anna.wallet.address}`,
  '/admin/explorer/count?types=BetPlaced',
  '/admin/events/4/graph',
  '/admin/players',
  '/admin/players?at=6',
  `/admin/players/${anna.wallet.address}/statement?asset=points`,
  '/admin/balance/explanation?account=house&asset=points',
  '/admin/trial-balance/diff?from=0&to=5',
  '/admin/configuration/history',
];
const FUTURE = 999_999_999;

test('a list is the same from the standby and from the leader', async () => {
  const head = await untilEqual();
  for (const path of PATHS()) {
    const copy = await answerOf('standby', path, { known: head });
    const own = await answerOf('leader', path, { known: FUTURE });
    const timeless = ({ made_at: _, ...data }: { made_at?: string }) => data;
    const of = ({ data }: { data: unknown }) =>
      Array.isArray(data) ? data : timeless(data as object);
    expect(of(copy), path).toEqual(of(own));
    expect([copy.position, own.position], path).toEqual([head, head]);
  }
});

test('after a bet its player and an operator see it, although the standby lacks it', async () => {
  const { standby } = replicated;
  await untilEqual();
  await standby.pause();
  const known = await bet();
  await untilCaughtUp(site.pool);
  type Rounds = { items: { bet_position: number }[] };
  const history = '/game/slot-machine/history';
  const last = ({ data }: { data: Rounds }) => data.items[0]?.bet_position ?? 0;
  const fresh = await answerOf<Rounds>('leader', history, { known });
  expect(last(fresh)).toBeGreaterThanOrEqual(known - 1);
  expect(fresh.position).toBeGreaterThanOrEqual(known);
  const old = await answerOf<Rounds>('standby', history);
  expect(last(old)).toBeLessThan(known - 1);
  expect(old.position).toBeLessThan(known);
  // Without the header only the leader answers, and its position is what the next list has to have.
  const silent = await anna.call<Rounds>(history);
  expect(last(silent.data ? silent : fresh)).toBe(last(fresh));
  expect(silent.position).toBeGreaterThanOrEqual(known);
  type Page = AdminData<'explorer'>;
  expect((await answerOf<Page>('standby', '/admin/explorer')).data.head).toBeLessThan(known);
  const asked = await answerOf<Page>('leader', '/admin/explorer', { known });
  expect(asked.data.head).toBeGreaterThanOrEqual(known);
  // A position in the path or in the query is known as well.
  await answerOf('leader', `/admin/events/${known}/graph`);
  await answerOf('leader', `/admin/players?at=${known}`);
  const data = await vi.waitFor(async () => {
    const { data } = await admin.by.viewer.call<AdminData<'engine'>>('/admin/engine');
    expect(data.standby).toMatchObject({ fault: null, position: old.position });
    return data;
  }, WAIT);
  expect(data.standby?.behind_positions).toBeGreaterThan(0);
  expect(data.standby?.behind_s).toBeGreaterThan(0);
  await standby.resume();
  await answerOf('standby', history, { known });
});

const checks = async (url: string) =>
  ((await (await fetch(`${url}/ready`)).json()) as { checks: Record<string, string | null> })
    .checks;

test('a lost standby costs no error, and readiness reports it', async () => {
  const { standby } = replicated;
  expect(await checks(site.url)).toMatchObject({ standby: null });
  await standby.stop();
  const { url } = admin;
  for (const path of PATHS()) await answerOf('leader', path);
  const ready = await fetch(`${site.url}/ready`);
  expect([ready.status, await checks(site.url), await checks(url)]).toMatchObject([
    ...[200, { ledger: null, standby: 'failing' }, { standby: 'failing' }],
  ]);
  const { data } = await admin.by.viewer.call<AdminData<'engine'>>('/admin/engine');
  expect(data.standby).toMatchObject({ fault: expect.any(String), position: null });
  await bet();
  await standby.start();
  for (const path of PATHS()) await answerOf('standby', path);
});

test('a header that is no position is refused', async () => {
  for (const known of ['-1', 'x', '1, 2']) {
    const response = await fetch(`${admin.url}/api/v1/admin/explorer`, {
      headers: { authorization: `Bearer ${admin.by.viewer.token}`, 'x-ledger-position': known },
    });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('the header X-Ledger-Position must be a position');
  }
});

async function exported(known: number): Promise<readonly string[]> {
  const response = await fetch(`${admin.url}/api/v1/admin/export?format=csv&types=BetPlaced`, {
    headers: {
      authorization: `Bearer ${admin.by.auditor.token}`,
      'x-ledger-position': String(known),
    },
  });
  expect(response.status).toBe(200);
  return (await response.text()).trim().split('\r\n');
}

test('an export has all that its caller knows', async () => {
  await untilEqual();
  const { standby } = replicated;
  const complete = await exported(0);
  expect(site.standby?.answered.standby).toBeGreaterThan(0);
  await standby.pause();
  const known = await bet();
  await untilCaughtUp(site.pool);
  await expect.poll(() => exported(0)).toEqual(complete);
  expect(await exported(known)).toEqual([...complete, expect.any(String)]);
  await standby.resume();
});

const reelbook = (args: readonly string[]) =>
  runFile('services/cli/main.ts', args, {
    PATH: process.env.PATH ?? '',
    DATA_DIR: folder,
    DATABASE_URL: site.database.url,
    READ_DATABASE_URL: replicated.standby.url,
  });

test('audits and exports of operators read the standby, and the leader while that is away', async () => {
  const { standby } = replicated;
  const audit = ['audit', '--offline', '--allow-unproven', '--no-record'];
  await untilEqual();
  // One that does not connect in time reads the leader.
  await expect
    .poll(() => reelbook(audit))
    .toMatchObject({ code: 0, output: expect.stringContaining('of the standby') });
  const { data: job } = await admin.by.auditor.call<AdminData<'job'>>('/admin/jobs/audit', {
    body: {},
  });
  const ended = await vi.waitFor(async () => {
    const { data } = await admin.by.viewer.call<AdminData<'job'>>(`/admin/jobs/${job.id}`);
    expect(data.state).not.toBe('running');
    return data;
  }, WAIT);
  expect(ended).toMatchObject({ state: 'done', error: null, audit: { findings: 0 } });
  expect((await reelbook(['ledger', 'export', join(folder, 'a.csv')])).code).toBe(0);
  await standby.stop();
  const second = await reelbook(audit);
  expect(second).toMatchObject({ code: 0, output: expect.stringContaining('of the leader') });
  expect((await reelbook(['ledger', 'export', join(folder, 'b.csv')])).code).toBe(0);
  const [copy, own] = ['a.csv', 'b.csv'].map((name) => readFileSync(join(folder, name), 'utf8'));
  expect(own?.startsWith(copy ?? '-')).toBe(true);
  await standby.start();
});
