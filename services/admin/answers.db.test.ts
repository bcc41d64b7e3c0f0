/** The answers of both APIs have the fields that they name. Actions of operators: dry-run.db.test.ts. */
import { Findings } from '@reelbook/audit/findings';
import { recordFindings } from '@reelbook/audit/record-findings';
import { type AdminRouteName, adminRoutes } from '@reelbook/contract/admin/routes';
import { type RouteName, routes } from '@reelbook/contract/player/routes';
import { ADMIN_BASE, API_BASE, type Route } from '@reelbook/contract/route';
import { startExecutor } from '@reelbook/event-store/execute';
import { playerDecider } from '@reelbook/ledger/player/decide';
import { playerStream } from '@reelbook/ledger/streams';
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
  bank = await startPaymentReview();
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
  const withdrawal = await bank.withdraw(anna, 2_000);
  await bank.reaches(withdrawal, 'requested');
  const stranger = createWallet();
  await bank.chain.fund(3n * BSM, stranger);
  await bank.chain.deposit(stranger, 3n * BSM);
  const on = `/admin/players/${anna.wallet.address}`;
  const reason = 'agreed';
  await recordActs(site.pool, anna, `operator:${operator.wallet.address}`);
  await operator.call(`${on}/adjustments`, {
    body: { amount: { asset: 'points', minor: '9000000' }, reason },
  });
  await operator.call(`${on}/suspend`, { body: { reason } });
  await operator.call('/admin/switches', {
    method: 'PUT',
    body: { switch: 'exchange', on: false, reason },
  });
  await operator.call(`/admin/operators/${operator.wallet.address}/name`, {
    method: 'PUT',
    body: { name: 'Ann', reason },
  });
  const { data: job } = await admin.by.auditor.call<{ id: number }>('/admin/jobs/audit', {
    body: {},
  });
  await bank.until(async () => {
    await untilCaughtUp(site.pool);
    const { data } = await operator.call<{ state: string }>(`/admin/jobs/${job.id}`);
    expect(data.state).toBe('done');
    const { data: unmatched } = await operator.call<{ deposits: unknown[] }>(
      '/admin/deposits?state=unmatched',
    );
    expect(unmatched.deposits).toHaveLength(1);
  });
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
  const changes = [{ path: 'withdraw.enabled', value: 'false' }];
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
  // Each answer has rows, so that the check covers them.
  const empty = answers.filter(({ text }) => /"data":(\[\]|\{"\w+":\[\])/.test(text));
  expect(empty.map(({ name }) => name)).toEqual([]);
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

test('signing in, and a job, answer with the columns that they name', async () => {
  const { admin } = bank;
  const body = { reason: 'agreed' };
  const answers = [
    await admin.call('/admin/auth/link', { body: { link: admin.links[0] } }),
    await admin.by.auditor.call('/admin/jobs/audit', { body: {} }),
    await admin.by.auditor.call(`/admin/jobs/${params.id}/cancel`, { body }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(JSON.stringify(answers)).not.toContain(EXTRA_COLUMN);
});
