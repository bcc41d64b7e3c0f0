/** The answers of both APIs have the fields that they name. Actions of operators: dry-run.db.test.ts. */
import { Findings } from '@reelbook/audit/findings';
import { recordFindings } from '@reelbook/audit/record-findings';
import { type AdminRouteName, adminRoutes } from '@reelbook/contract/admin/routes';
import { type RouteName, routes } from '@reelbook/contract/player/routes';
import { ADMIN_BASE, API_BASE, type Route } from '@reelbook/contract/route';
import { openClock } from '@reelbook/event-store/clock';
import { startExecutor } from '@reelbook/event-store/execute';
import { HOUR_MS } from '@reelbook/ledger/calendar';
import { playerDecider } from '@reelbook/ledger/player/decide';
import { playerStream } from '@reelbook/ledger/streams';
import { changeRole } from '@reelbook/payments/approvals';
import { start } from '@reelbook/simulator/client/timed-play';
import type { TestOperator } from '@reelbook/simulator/stages/admin-site';
import { BSM } from '@reelbook/simulator/stages/paying-site';
import { type PaymentReview, startPaymentReview } from '@reelbook/simulator/stages/payment-review';
import type { TestPlayer } from '@reelbook/simulator/stages/site';
import { untilCaughtUp } from '@reelbook/testing/caught-up';
import { addExtraColumn, EXTRA_COLUMN } from '@reelbook/testing/extra-column';
import { recordedActs } from '@reelbook/testing/golden';
import { createWallet } from '@reelbook/testing/wallets';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isAction } from './dry-run.ts';

addExtraColumn();

let bank: PaymentReview;
let anna: TestPlayer;
/** Values of parameters of paths. */
let params: Readonly<Record<string, string | number>>;
beforeAll(async () => {
  // Timed rounds stay open.
  bank = await startPaymentReview({ sweep: { everyMs: 100, graceMs: HOUR_MS } });
  const { admin, site } = bank;
  const { operator } = admin.by;
  anna = await bank.player(5_000n * BSM);
  await bank.credit(anna, 4_000n * BSM);
  let round = '';
  for (let won = 0; won === 0; ) {
    const { data } = await anna.call<{ round_id: string; total_win: number }>(
      '/game/slot-machine/bet',
      { body: { bet_amount: 5 } },
    );
    ({ round_id: round, total_win: won } = data);
  }
  await anna.call('/user/profile', { method: 'PUT', body: { nickname: 'Anna' } });
  await start(anna, 'snake');
  const withdrawal = await bank.withdraw(anna, 2_000);
  await bank.reaches(withdrawal, 'requested');
  const stranger = createWallet();
  await bank.chain.fund(3n * BSM, stranger);
  await bank.chain.deposit(stranger, 3n * BSM);
  const on = `/players/${anna.wallet.address}`;
  const reason = 'agreed';
  await recordActs(site.pool, anna, `operator:${operator.wallet.address}`);
  const act = async (path: string, body: object, method: 'POST' | 'PUT' = 'POST') => {
    const done = await operator.call(`/admin${path}`, { body: { reason, ...body }, method });
    expect([path, done.status, done.message]).toEqual([path, 200, expect.any(String)]);
  };
  await act(`${on}/adjustments`, { amount: { asset: 'points', minor: '9000000' } });
  await act(`${on}/limits`, { kind: 'deposit', period: 'day', minor: `${9_000n * BSM}` }, 'PUT');
  await act(`${on}/suspend`, {});
  await act('/switches', { switch: 'exchange', on: false }, 'PUT');
  await act('/switches', { switch: 'exchange', on: true }, 'PUT');
  await act(`/operators/${operator.wallet.address}/name`, { name: 'Ann' }, 'PUT');
  await act(`/withdrawals/${withdrawal}/approve`, {});
  await halfApproved(site.pool, admin.second);
  const { data: job } = await admin.by.auditor.call<{ id: number }>('/admin/jobs/audit', {
    body: {},
  });
  let deposits: readonly { signature: string }[] = [];
  await bank.until(async () => {
    await untilCaughtUp(site.pool);
    const { data } = await operator.call<{ state: string }>(`/admin/jobs/${job.id}`);
    expect(data.state).toBe('done');
    const { data: unmatched } = await operator.call<{ deposits: { signature: string }[] }>(
      '/admin/deposits?state=unmatched',
    );
    deposits = unmatched.deposits;
    expect(deposits).toHaveLength(1);
  });
  const to = `player:${anna.wallet.address}`;
  await act(`/unmatched-deposits/${deposits[0]?.signature}/resolve`, { to });
  const findings = new Findings();
  findings.add('columns', 1, 'a test');
  await recordFindings(site.pool, { events: 1, headHash: '', findings });
  const { rows } = await site.pool.query<{ position: number }>(
    "select position from events where type = 'BetPlaced' order by position desc limit 1",
  );
  const position = rows[0]?.position ?? 0;
  const of = { wallet: anna.wallet.address, round, round_id: round, withdrawal, id: job.id };
  params = { ...of, position, game: 'slot-machine', board: 'wins', pair: 1, key: 'none' };
});
afterAll(() => bank.close());

/** Every act that changes no state, so that reads of such acts have rows. */
async function recordActs(pool: pg.Pool, { wallet }: TestPlayer, by: string): Promise<void> {
  const executor = startExecutor({ pool });
  for (const { act } of recordedActs) {
    const executed = await executor.execute({
      decider: playerDecider,
      stream: playerStream(wallet.address),
      idempotencyKey: `test:${act.type}`,
      request: null,
      meta: { correlation: 'test', actor: by },
      prepare: async () => ({ command: { ...act, by }, configVersion: null }),
    });
    expect(executed.kind).toBe('done');
  }
  await executor.close();
}

/** A proposal with an approval that is not the last: of the shell, so it takes two admins. */
async function halfApproved(pool: pg.Pool, admin: TestOperator): Promise<void> {
  const executor = startExecutor({ pool, fromEvents: true });
  const site = { pool, executor, clock: openClock(pool), knownRules: {} };
  const by = 'system:operator-command';
  const add = { operator: createWallet().address, role: 'viewer', reason: 'a test', by } as const;
  const act = { correlation: 'test', idempotencyKey: 'test:role', request: null };
  const proposed = await changeRole(site, { type: 'AddOperator', ...add }, act);
  await executor.close();
  const number = proposed.kind === 'done' ? proposed.version : 0;
  const approved = await admin.call<{ status: string }>(`/admin/proposals/${number}/approve`, {
    body: { reason: 'the first of two' },
  });
  expect(approved.data.status).toBe('waiting');
}

/** Queries that reads require, or that give them rows. */
const QUERIES: Readonly<Record<string, (wallet: string) => string>> = {
  statement: () => '?asset=points',
  withdrawals: () => '?status=all',
  find: (wallet) => `?q=${wallet}`,
  evidence: (wallet) => `?of=player&id=${wallet}`,
  stateAt: (wallet) => `?stream=${wallet}`,
  stateDiff: (wallet) => `?stream=${wallet}&from=0`,
  explainBalance: (wallet) => `?asset=points&account=player:${wallet}`,
  accountMovements: (wallet) => `?asset=points&account=player:${wallet}`,
  trialDiff: () => '?from=0',
  largeWins: () => '?min_minor=1',
  exportEvents: () => '?format=jsonl',
  statementFile: () => '?format=csv',
};

const urlOf = (base: string, name: string, { path }: Route) => {
  const filled = path.replace(/:(\w+)/g, (_, key: string) => String(params[key]));
  return `${base}${filled}${name === 'statement' && base.endsWith(API_BASE) ? '' : (QUERIES[name]?.(anna.wallet.address) ?? '')}`;
};

async function answerTo(base: string, [name, route]: readonly [string, Route], token: string) {
  const isGet = route.method === 'GET';
  const changes = [{ path: 'games.slot-machine.rules', value: 'slot-2' }];
  const answer = await fetch(urlOf(base, name, route), {
    method: route.method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(isGet ? {} : { 'content-type': 'application/json' }),
    },
    ...(isGet ? {} : { body: JSON.stringify({ changes }) }),
  });
  return { name, status: answer.status, text: await answer.text() };
}

/** What the ledger stores, choices and outcomes of games, and facts of sentences are shown as they are. */
const STORED: ReadonlySet<string> = new Set([
  'state',
  'outcome',
  'choice',
  'before',
  'after',
  'facts',
]);

function hasOwnName(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(
    ([name, part]) => /[A-Z]/.test(name) || (!STORED.has(name) && hasOwnName(part)),
  );
}

/** All lists of an answer, by the names on their way; elements of a list have one path. */
function* listsIn(
  value: unknown,
  path: string,
): Generator<{ readonly path: string; readonly length: number }> {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) yield { path, length: value.length };
  for (const [name, part] of Object.entries(value)) {
    if (Array.isArray(value)) yield* listsIn(part, `${path}[]`);
    else if (!STORED.has(name)) yield* listsIn(part, `${path}.${name}`);
  }
}

/** Lists that are empty here: of faults where there are none. */
const AUDIT = ['voids', 'lucky', 'kept', 'groups'];
const EMPTY: ReadonlySet<string> = new Set([
  'player.stored_differs',
  'previewConfiguration.faults',
  'event.faults',
  'eventRound.recomputed.faults',
  // That of a player has none.
  'evidence.links',
  ...['jobs.jobs[]', 'jobs.audited', 'job'].flatMap((one) =>
    AUDIT.map((list) => `${one}.audit.${list}`),
  ),
]);

const dataIn = (text: string) => (text.startsWith('{"code"') ? JSON.parse(text) : null);

test('each row of a query has the extra column', async () => {
  const { rows } = await bank.site.pool.query('select 1 as one');
  expect(rows).toEqual([{ one: 1, [EXTRA_COLUMN]: EXTRA_COLUMN }]);
});

const SESSIONS: readonly AdminRouteName[] = ['signIn', 'signInByLink', 'signOut', 'signOutAll'];
/** Of system parts; they append nothing. */
const JOBS: readonly AdminRouteName[] = ['startAudit', 'cancelJob', 'continueFollower'];
const reads = Object.entries(adminRoutes as Readonly<Record<string, Route>>).filter(
  ([name]) => !isAction(name) && ![...SESSIONS, ...JOBS].includes(name as AdminRouteName),
);

test('no read of operators answers with a column that it does not name', async () => {
  const { admin } = bank;
  const answers = [];
  for (const route of reads) {
    answers.push(await answerTo(admin.url + ADMIN_BASE, route, admin.by.admin.token));
  }
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  expect(answers.filter(({ text }) => text.includes(EXTRA_COLUMN)).map(({ name }) => name)).toEqual(
    [],
  );
  // Objects of the server have names such as `tokenMinor`.
  expect(answers.filter(({ text }) => hasOwnName(dataIn(text))).map(({ name }) => name)).toEqual(
    [],
  );
  // Each list of each answer has rows, so that the check covers them.
  const lists = answers.flatMap(({ name, text }) => [...listsIn(dataIn(text)?.data, name)]);
  const filled = new Set(lists.filter(({ length }) => length > 0).map(({ path }) => path));
  const empty = new Set(lists.map(({ path }) => path).filter((path) => !filled.has(path)));
  expect(empty).toEqual(EMPTY);
});

test('no call of players answers with a column that it does not name', async () => {
  const all = Object.entries(routes as Readonly<Record<RouteName, Route>>);
  // The serializer leaves out what a schema does not name.
  expect(all.filter(([, { data }]) => !data).map(([name]) => name)).toEqual([]);
  const asked = all.filter(([, { method }]) => method === 'GET');
  const answers = [];
  for (const route of asked) {
    answers.push(await answerTo(bank.site.url + API_BASE, route, anna.token));
  }
  expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
  expect(answers.filter(({ text }) => text.includes(EXTRA_COLUMN)).map(({ name }) => name)).toEqual(
    [],
  );
});

test('sessions, and jobs of all kinds, answer with the columns that they name', async () => {
  const { admin, site } = bank;
  const { operator, auditor, viewer } = admin.by;
  const body = { reason: 'agreed' };
  await site.database
    .pool('owner', 1)
    .query(`update checkpoints set status = 'stopped', error = 'a test' where name = 'seeds'`);
  const answers = [
    await admin.call('/admin/auth/link', { body: { link: admin.links[0] } }),
    await admin.call('/admin/auth/sign-in', { body: viewer.wallet.signIn(Date.now()) }),
    await auditor.call('/admin/jobs/audit', { body: {} }),
    await auditor.call(`/admin/jobs/${params.id}/cancel`, { body }),
    await operator.call('/admin/engine/followers/seeds/continue', { body }),
    await viewer.call('/admin/auth/sign-out', { body: {} }),
    await operator.call('/admin/auth/sign-out-all', { body: {} }),
  ];
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect(answers).toHaveLength(SESSIONS.length + JOBS.length);
  expect(JSON.stringify(answers)).not.toContain(EXTRA_COLUMN);
});
