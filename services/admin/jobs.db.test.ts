import { readLog } from '@reelbook/event-store/read-log';
import { publicKeyOf } from '@reelbook/games/proofs/signature';
import { verifyExport } from '@reelbook/games/proofs/verify-export';
import { type AdminSite, startAdminSite } from '@reelbook/simulator/stages/admin-site';
import { startSite, type TestPlayer, type TestSite } from '@reelbook/simulator/stages/site';
import { untilCaughtUp } from '@reelbook/testing/caught-up';
import { replaceIn, tamperWith } from '@reelbook/testing/tamper';
import { WAIT } from '@reelbook/testing/wait';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { AdminData } from './answers.ts';
import { openAdminMetrics } from './context.ts';

let site: TestSite;
let admin: AdminSite;
let anna: TestPlayer;
beforeAll(async () => {
  site = await startSite();
  admin = await startAdminSite(site);
  anna = await site.login();
  for (let i = 0; i < 12; i++) await bet();
});
afterAll(async () => {
  await admin.close();
  await site.close();
});

async function bet(): Promise<void> {
  const body = { bet_amount: 1, lines: 25 };
  const { status, message } = await anna.call('/game/slot-machine/bet', { body });
  if (status !== 200) throw new Error(message);
}

async function start(
  path: string,
  body: object,
  role: 'auditor' | 'operator',
): Promise<AdminData<'job'>> {
  const { status, message, data } = await admin.by[role].call<AdminData<'job'>>(
    `/admin/jobs/${path}`,
    { body },
  );
  if (status !== 200) throw new Error(`${path}: ${status} ${message}`);
  return untilEnded(data.id);
}

interface Action {
  readonly type: string;
  readonly actor: string;
  readonly data: {
    readonly operation: string;
    readonly outcome?: string;
    readonly reason?: string;
    readonly statusAfter: { readonly rebuilt: number | null; readonly stopped: string | null };
  };
}

/** Events of operations on projections, oldest first. */
async function actionsIn(pool: pg.Pool): Promise<readonly Action[]> {
  const { rows } = await pool.query<{ body: string }>(
    `select body::text from events where type like 'ReadModelOperation%' order by position`,
  );
  return rows.map(({ body }) => {
    const { type, meta, data } = JSON.parse(body);
    return { type, actor: meta.actor, data };
  });
}

const jobOf = async (id: number) =>
  (await admin.by.viewer.call<AdminData<'job'>>(`/admin/jobs/${id}`)).data;

const untilEnded = (id: number): Promise<AdminData<'job'>> =>
  vi.waitFor(async () => {
    const job = await jobOf(id);
    expect(job.state).not.toBe('running');
    return job;
  }, WAIT);

async function download(query: string) {
  const response = await fetch(`${admin.url}/api/v1/admin/export?${query}`, {
    headers: { authorization: `Bearer ${admin.by.auditor.token}` },
  });
  const job = Number(response.headers.get('x-export-job'));
  const text = Buffer.from(await response.arrayBuffer()).toString();
  return { text, job: await untilEnded(job), response };
}

async function* linesOf(text: string) {
  yield* text.trimEnd().split('\n');
}

const publicKey = () => publicKeyOf(site.receiptKey);
const untilReached = () => untilCaughtUp(site.pool);

test('an export verifies offline; a changed byte, a missing or an additional line is detected', async () => {
  await untilReached();
  const { text, job, response } = await download('format=jsonl');
  expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="reelbook-1-/);
  const report = await verifyExport(linesOf(text), publicKey());
  expect(report).toMatchObject({ faultCount: 0, manifest: { contiguous: true } });
  expect(report.signed).toBe('by the given key');
  expect(job).toMatchObject({ state: 'done', manifest: report.manifest });
  expect(report.linked).toBe(report.events - 1);

  const lines = text.trimEnd().split('\n');
  const broken = async (...changed: readonly string[]) =>
    (await verifyExport(linesOf(changed.join('\n')), publicKey())).faults;
  const third = lines[2] ?? '';
  const [first] = await broken(...lines.toSpliced(2, 1, third.replace('time', 'tame')));
  expect(first).toMatchObject({ line: 3, position: 3 });
  const messages = async (...changed: readonly string[]) =>
    (await broken(...changed)).map(({ message }) => message).join('; ');
  expect(await messages(...lines.toSpliced(2, 1))).toMatch(/are missing/);
  expect(await messages(...lines.slice(0, -1))).toMatch(/the manifest is missing/);
  expect(await messages(...lines, third)).toMatch(/after the manifest/);
  const empty = '{"manifest":null}';
  expect(await messages(...lines.slice(0, -1), empty, lines.at(-1) ?? '')).toMatch(/not an event/);
  expect(await messages('not json', ...lines)).toMatch(/not an event of an export/);
  expect(await messages(...lines.toSpliced(2, 1, lines[3] ?? '', third))).toMatch(/it is after #/);
});

test('a filtered export contains only matching events; its CSV cannot inject formulas', async () => {
  await anna.call('/user/profile', { method: 'PUT', body: { nickname: '=1+1,"x"' } });
  await untilReached();
  const only = await download('format=jsonl&types=BetPlaced');
  const report = await verifyExport(linesOf(only.text), publicKey());
  expect(report).toMatchObject({ events: 12, faultCount: 0, manifest: { contiguous: false } });
  const lost = await download('format=jsonl&types=BetWon,BetLost');
  const [line = ''] = lost.text.split('\n');
  const { position, first_position, meta } = JSON.parse(line);
  expect(first_position).toBe(position - 1);
  const actor = `player:${anna.wallet.address}`;
  expect(meta).toMatchObject({ actor, correlation: expect.stringMatching(/./) });
  const { text } = await download(`format=csv&types=BetPlaced`);
  const [head, first] = text.split('\r\n');
  expect(head).toMatch(/^\uFEFFposition,time,type,/);
  expect(first).toContain(`"'=1+1,""x"""`);
  expect(first).toContain(',-1.00,');
  const none = await download('format=jsonl&round=none');
  expect((await verifyExport(linesOf(none.text), publicKey())).faultCount).toBe(0);
});

test('jobs are listed page by page', async () => {
  const page = async (query: string) => {
    const path = `/admin/jobs?${query}`;
    return (await admin.by.viewer.call<AdminData<'jobs'>>(path)).data;
  };
  const all = (await page('limit=200')).jobs.map(({ id }) => id);
  expect(all.length).toBeGreaterThan(2);
  const seen: number[] = [];
  for (let before = ''; ; ) {
    const { jobs, next } = await page(`limit=2${before}`);
    seen.push(...jobs.map(({ id }) => id));
    if (next === null) break;
    before = `&before=${next}`;
  }
  expect(seen).toEqual(all);
});

test('a client that disconnects cancels the export', async () => {
  const gone = new AbortController();
  const response = await fetch(`${admin.url}/api/v1/admin/export?format=jsonl`, {
    headers: { authorization: `Bearer ${admin.by.auditor.token}` },
    signal: gone.signal,
  });
  const job = Number(response.headers.get('x-export-job'));
  gone.abort();
  await response.text().catch(() => {});
  // A small ledger may be sent completely before the disconnect.
  expect(['cancelled', 'done']).toContain((await untilEnded(job)).state);
});

test('one job at a time', async () => {
  // A job of another process that runs until the test ends it.
  const owner = site.database.pool('owner', 1);
  await owner.query(`insert into admin_jobs (kind, started_by, holder, lease_until)
    values ('audit', 'operator:x', 'elsewhere', now() + interval '1 hour')`);
  const busy = await admin.by.auditor.call('/admin/jobs/audit', { body: {} });
  const why = 'audit is running; only one runs at a time';
  expect(busy).toMatchObject({ status: 409, message: why });
  await owner.query(`update admin_jobs set state = 'cancelled', ended_at = now()
    where holder = 'elsewhere'`);
  const audit = await start('audit', {}, 'auditor');
  expect(audit).toMatchObject({ kind: 'audit', state: 'done' });
  expect(await openAdminMetrics(site.pool).registry.metrics()).toMatch(/last_audit\S*"clean"\S* 1/);
  expect(audit.audit).toMatchObject({ clean: true, mode: 'operator', findings: 0, first: null });
  expect(audit.audit).toMatchObject({
    verdict: 'CLEAN',
    unproven: [],
    chain: { has_chain: false },
  });
});

test('a cancelled audit stops', async () => {
  const holder = await site.database.pool('owner', 1).connect();
  // The comparison of read models waits for it.
  await holder.query('begin; lock table projections.seeds_v1 in access exclusive mode');
  const { data: begun } = await admin.by.auditor.call<AdminData<'job'>>('/admin/jobs/audit', {
    body: {},
  });
  const waiting = `select from pg_locks where not granted and relation = 'projections.seeds_v1'::regclass
    and database = (select oid from pg_database where datname = current_database())`;
  await expect.poll(async () => (await holder.query(waiting)).rowCount, WAIT).toBeGreaterThan(0);
  const cancel = (by: 'viewer' | 'auditor', reason: string) =>
    admin.by[by].call<AdminData<'job'>>(`/admin/jobs/${begun.id}/cancel`, { body: { reason } });
  const last = async () =>
    (await admin.by.viewer.call<AdminData<'jobs'>>('/admin/jobs?kind=audit&limit=1')).data;
  const audited = { state: 'done', audit: { verdict: 'CLEAN' } };
  expect(await last()).toMatchObject({ running: { id: begun.id }, audited });
  const asked = await cancel('auditor', 'the wrong one');
  expect((await cancel('viewer', 'no')).status).toBe(403);
  expect((await cancel('auditor', '')).status).toBe(400);
  expect(asked).toMatchObject({ status: 200, data: { state: 'running' } });
  // Two more lease renewals ensure that its process has read the cancellation.
  const beats = new Set([asked.data.updated_at]);
  await expect
    .poll(async () => beats.add((await jobOf(begun.id)).updated_at).size, WAIT)
    .toBeGreaterThan(2);
  await holder.query('commit');
  holder.release();
  expect(await untilEnded(begun.id)).toMatchObject({ state: 'cancelled', error: null });
  expect((await cancel('auditor', 'again')).data.state).toBe('cancelled');
  expect(await last()).toMatchObject({ jobs: [{ id: begun.id }], running: null, audited });
});

test('the job of a dead process is lost, and the next one may start', async () => {
  const owner = site.database.pool('owner', 1);
  await owner.query(`insert into admin_jobs (kind, started_by, holder, lease_until)
    values ('audit', 'operator:x', 'gone', now() - interval '1 second')`);
  const audit = await start('audit', {}, 'auditor');
  expect(audit.state).toBe('done');
  const { data } = await admin.by.viewer.call<AdminData<'jobs'>>('/admin/jobs?kind=audit');
  expect(data.jobs[1]).toMatchObject({
    state: 'lost',
    error: 'its process ended without a result',
  });
});

test('a stopped projection reports the reason, and continues when an operator resumes it', async () => {
  const { call } = admin.by.operator;
  const path = '/admin/engine/followers/seeds/continue';
  const body = { reason: 'the code was fixed' };
  const early = await call(path, { body });
  expect(early).toMatchObject({ status: 404, message: 'seeds has not stopped' });
  await site.database
    .pool('owner', 1)
    .query(`update checkpoints set status = 'stopped', error = 'a test' where name = 'seeds'`);
  const stopped = async () => {
    const { data } = await admin.by.viewer.call<AdminData<'engine'>>('/admin/engine');
    return data.followers.find(({ name }) => name === 'seeds');
  };
  expect(await stopped()).toMatchObject({ condition: 'stopped', stopped: 'a test' });
  const ready = await fetch(`${admin.url}/ready`);
  expect(ready.status).toBe(200);
  const { checks } = (await ready.json()) as { checks: Record<string, string> };
  expect(checks.followers).toContain('seeds is stopped');
  expect(checks.followers).not.toContain('a test');
  expect(checks.cashier).toBe('no cashier has run yet');
  const resumed = await call<{ position: number }>(path, { body });
  expect(resumed.status).toBe(200);
  const recorded = await readLog(site.pool, { from: resumed.data.position, limit: 1 });
  expect(recorded).toMatchObject([{ event: { type: 'ReadModelOperationFinished' } }]);
  expect(await stopped()).toMatchObject({ stopped: null });
  const { data } = await admin.by.viewer.call<AdminData<'jobs'>>('/admin/jobs?kind=continue');
  const by = `operator:${admin.by.operator.wallet.address}`;
  expect(data.jobs).toMatchObject([{ subject: 'seeds', state: 'done', by, reason: body.reason }]);
  const [begun, ended] = (await actionsIn(site.pool)).slice(-2);
  expect(begun).toMatchObject({ actor: by, data: { operation: 'continue', reason: body.reason } });
  expect(begun?.data).toMatchObject({ statusBefore: { stopped: 'a test' } });
  expect(ended?.data).toMatchObject({ outcome: 'done', statusAfter: { stopped: null } });
});

test('the audit and the event page report a row that a superuser changed', async () => {
  const { rows } = await site.pool.query<{ position: number }>(
    `select position from events where type = 'BetPlaced' order by position limit 1 offset 4`,
  );
  const position = rows[0]?.position ?? 0;
  const owner = site.database.pool('owner', 1);
  const change = (client: pg.PoolClient) =>
    replaceIn(client, position, '"stakeMinor":"100"', '"stakeMinor":"900"');
  await tamperWith(owner, change, async () => {
    const page = await admin.by.viewer.call<AdminData<'event'>>(`/admin/events/${position}`);
    expect(page.data.faults.map(({ check }) => check)).toEqual(['chain', 'money']);
    const { audit } = await start('audit', {}, 'auditor');
    expect(audit).toMatchObject({ clean: false, first: { check: 'chain', position } });
    // One altered digit is one group; the rows of projections name the column that differs.
    expect(audit?.groups).toMatchObject([{ cause: { check: 'chain', position }, next: 'event' }]);
    const messages = audit?.groups?.[0]?.consequences.map(({ message }) => message).join('; ');
    expect(messages).toMatch(
      /entries_balances_v\d+ at #\d+: row house: after is -?[\d.]+ points, a replay gives -?[\d.]+ points/,
    );
    expect(messages).toMatch(/has \d+(\.\d+)? points and 0 BSM after it/);
    const { text } = await download('format=jsonl');
    const { faults } = await verifyExport(linesOf(text), publicKey());
    expect(faults[0]).toMatchObject({ position });
  });
  const page = await admin.by.viewer.call<AdminData<'event'>>(`/admin/events/${position}`);
  expect(page.data.faults).toEqual([]);
});
