/** What one operator may do alone in a day, and append at all: nothing of other days adds to it. */
import { auditLedger } from '@reelbook/audit/audit';
import { API_BASE, DRY_RUN_PATH, FINGERPRINT_HEADER } from '@reelbook/contract/route';
import { startExecutor } from '@reelbook/event-store/execute';
import { readHead, readLog } from '@reelbook/event-store/read-log';
import { foldedState } from '@reelbook/event-store/read-stream';
import { DAY_MS } from '@reelbook/ledger/calendar';
import { defaultConfig } from '@reelbook/ledger/config/config';
import { ACTIONS_AT_ONCE } from '@reelbook/ledger/operators/action-budget';
import { operatorsDecider } from '@reelbook/ledger/operators/decide';
import { OPERATORS_STREAM } from '@reelbook/ledger/streams';
import { start } from '@reelbook/simulator/client/timed-play';
import {
  type AdminSite,
  startAdminSite,
  type TestOperator,
} from '@reelbook/simulator/stages/admin-site';
import { startSite, type TestPlayer, type TestSite } from '@reelbook/simulator/stages/site';
import { type FakeClock, NOON, openFakeClock } from '@reelbook/testing/fake-clock';
import { WAIT } from '@reelbook/testing/wait';
import { createWallet, TEST_CONSOLE_ORIGIN } from '@reelbook/testing/wallets';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ACTIONS, OPERATOR_ACTIONS_PER_DAY } from './action-budget.ts';
import { startAdmin } from './admin.ts';

const reason = 'the page did not load';
const STAKE = 10;
/** A tenth of what one operator adjusts alone in a day. */
const TENTH = String(defaultConfig.adjust.operatorDayMaxPointsMinor / 10n);

let site: TestSite;
let admin: AdminSite;
let clock: FakeClock;
beforeAll(async () => {
  site = await startSite({
    sweep: { everyMs: 100, graceMs: 100 * DAY_MS },
    async prepare(database) {
      clock = await openFakeClock(database);
      await clock.set(NOON);
    },
  });
  admin = await startAdminSite(site);
});
afterAll(async () => {
  await admin?.close();
  await site?.close();
});

interface Sent {
  readonly key?: string;
  readonly fingerprint?: string;
  readonly method?: string;
  readonly url?: string;
  readonly [field: string]: unknown;
}

/** One attempt: the client of the tests tries again after a 429. */
async function send(by: TestOperator, path: string, sent: Sent = {}) {
  const { key, fingerprint, method = 'POST', url = admin.url, ...body } = sent;
  const response = await fetch(`${url}${API_BASE}/admin${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${by.token}`,
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...(fingerprint === undefined ? {} : { [FINGERPRINT_HEADER]: fingerprint }),
    },
    body: JSON.stringify({ reason, ...body }),
  });
  const { data } = (await response.json()) as {
    data: {
      readonly proposal?: number | null;
      readonly error?: string;
      readonly fingerprint?: string;
      readonly events?: readonly { readonly data: { readonly day?: number } }[];
    };
  };
  return {
    http: response.status,
    retryAfterS: Number(response.headers.get('retry-after')),
    ...data,
  };
}

const adjustmentsOf = ({ wallet }: TestPlayer) => `/players/${wallet.address}/adjustments`;
const tenth = { amount: { asset: 'points', minor: TENTH } };

async function typesFrom(position: number): Promise<readonly string[]> {
  return (await readLog(site.pool, { from: position, limit: 500 })).map(({ event }) => event.type);
}
const next = async () => (await readHead(site.pool)).position + 1;
const count = (types: readonly string[], type: string) =>
  types.filter((one) => one === type).length;

/** Once the console has the time of the next day. */
async function tomorrow(by: TestOperator): Promise<TestOperator> {
  await clock.forward(DAY_MS);
  const [player, day] = [await site.login(), Math.floor(Date.now() / DAY_MS)];
  const dayOfAction = async () => {
    const operator = await admin.signIn(by.wallet);
    const { events } = await send(operator, adjustmentsOf(player) + DRY_RUN_PATH, tenth);
    return events?.at(-1)?.data.day;
  };
  await expect.poll(dayOfAction, { ...WAIT, interval: 500 }).toBe(day);
  // The session of the last attempt may be of the day before.
  return admin.signIn(by.wallet);
}

/** Of the operators: events three days before others are findings of other checks. */
async function findings() {
  const audited = await auditLedger({ pool: site.pool, vault: null, onProgress: () => {} });
  return audited.findings.kept.flatMap(({ check, message }) =>
    check === 'operators' ? message : [],
  );
}

test('an action other than the one of its dry run counts nothing in the allowance', async () => {
  const ann = await admin.add('operator');
  const player = await site.login();
  const from = await next();
  for (let n = 0; n < 12; n++) {
    const refused = await send(ann, adjustmentsOf(player), {
      ...tenth,
      key: `${n}`,
      fingerprint: 'x',
    });
    expect([refused.http, refused.error]).toEqual([409, 'preview-outdated']);
  }
  const { data } = await start(player, 'snake');
  const path = `/players/${player.wallet.address}/rounds/${data.round_id}/void`;
  expect(await send(ann, path, { fingerprint: 'x' })).toMatchObject({ error: 'preview-outdated' });
  expect(await typesFrom(from)).toEqual(['BetPlaced']);
});

test('no role appends without limit, in all processes together; sessions begin and end nevertheless', async () => {
  const vera = await admin.add('viewer');
  const { address } = vera.wallet;
  let named = 0;
  const rename = (url = admin.url) => {
    const name = `Vera ${named % 2 === 0 ? 'One' : 'Two'}`;
    return send(vera, `/operators/${address}/name`, { method: 'PUT', name, url });
  };
  let answer = await rename();
  while (answer.http === 200 && named <= OPERATOR_ACTIONS_PER_DAY) {
    named++;
    answer = await rename();
  }
  expect([answer.http, answer.error]).toEqual([429, 'operator-actions-used']);
  expect(answer.retryAfterS).toBeGreaterThan(60);
  expect(named).toBeGreaterThan(0);
  expect(named).toBeLessThanOrEqual(OPERATOR_ACTIONS_PER_DAY / (ACTIONS.NameOperator ?? 1));
  const other = await startAdmin({
    pool: site.pool,
    bus: site.bus,
    log: site.log,
    settings: {
      host: '127.0.0.1',
      port: 0,
      consoleOrigin: TEST_CONSOLE_ORIGIN,
      webRoot: null,
      sessionKey: site.sessionKey,
      localChain: true,
    },
    work: {
      databaseUrl: site.database.url,
      chain: { urls: null, wallets: null, accepted: [], folder: null },
    },
  });
  const from = await next();
  expect([(await rename()).http, (await rename(other.url)).http]).toEqual([429, 429]);
  await other.close();
  expect(await next()).toBe(from);
  const again = await admin.signIn(vera.wallet);
  for (const { token } of [again, vera]) {
    const signedOut = await admin.call('/admin/auth/sign-out', { method: 'POST', token });
    expect(signedOut.status).toBe(200);
  }
  const { status } = await admin.by.admin.call(`/admin/operators/${address}/revoke`, {
    body: { reason },
  });
  expect(status).toBe(200);
  expect(await typesFrom(from)).toEqual([
    'OperatorSignedIn',
    'OperatorSignedOut',
    'OperatorSignedOut',
    'OperatorRevoked',
  ]);
  expect(await findings()).toEqual([]);
});

test('notes count too, and what is reserved on many days cannot be used in one', async () => {
  let eve = await admin.add('operator');
  const { address } = (await site.login()).wallet;
  const note = () => send(eve, `/players/${address}/notes`, { note: 'called', reason: undefined });
  const budget = async () => {
    const { state } = await foldedState(site.pool, operatorsDecider, OPERATORS_STREAM);
    return state.budgets?.[eve.wallet.address] ?? 0;
  };
  for (let n = 0; n < 3; n++) eve = await admin.signIn(eve.wallet);
  const reserved = await budget();
  for (let n = 0; n < ACTIONS_AT_ONCE; n++) expect((await note()).http).toBe(200);
  expect(await budget()).toBe(reserved);
  // Neither a refusal nor what changes nothing counts.
  const from = await next();
  expect(
    (await send(eve, `/players/${createWallet().address}/notes`, { note: 'x', reason: undefined }))
      .http,
  ).toBe(404);
  expect(await next()).toBe(from);
  expect((await note()).http).toBe(200);
  expect(await typesFrom(from)).toEqual(['OperatorActionsReserved', 'PlayerNoted']);
  expect(await budget()).toBeGreaterThan(reserved);
  expect(await findings()).toEqual([]);
});

test('actions at the same time share reservations', async () => {
  const eve = await admin.add('operator');
  const from = await next();
  const named = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      send(eve, `/operators/${eve.wallet.address}/name`, {
        method: 'PUT',
        name: `Eve ${'abcdefghijklmnopqrst'[n]}`,
      }),
    ),
  );
  expect(new Set(named.map(({ http }) => http))).toEqual(new Set([200]));
  const types = await typesFrom(from);
  const actions = named.length * (ACTIONS.NameOperator ?? 1);
  // The first are reserved with the sign-in.
  expect(count(types, 'OperatorActionsReserved')).toBe(actions / ACTIONS_AT_ONCE - 1);
});

test('a void that its dry run shows as a proposal is proposed, and not once the allowance covers it', async () => {
  let ann = await admin.add('operator');
  for (let n = 0; n < 10; n++) await send(ann, adjustmentsOf(await site.login()), tenth);
  const player = await site.login();
  const { data } = await start(player, 'snake');
  const path = `/players/${player.wallet.address}/rounds/${data.round_id}/void`;
  const { fingerprint = '' } = await send(ann, path + DRY_RUN_PATH, {});
  ann = await tomorrow(ann);
  const from = await next();
  expect(await send(ann, path, { fingerprint })).toMatchObject({ error: 'preview-outdated' });
  expect(await typesFrom(from)).toEqual([]);
  for (let n = 0; n < 10; n++) await send(ann, adjustmentsOf(await site.login()), tenth);
  expect(await send(ann, path, { fingerprint })).toMatchObject({ proposal: expect.any(Number) });
});

/** The state after a crash between the count and the action. */
async function countOnly(
  operator: string,
  { key, minor, ...what }: { key: string; player: string; minor: string; round?: string },
) {
  const executor = startExecutor({ pool: site.pool });
  const { rows } = await site.pool.query<{ day: number }>(
    `select floor(extract(epoch from clock_timestamp()) / 86400)::int as day`,
  );
  const day = rows[0]?.day ?? 0;
  const counted = await executor.execute({
    decider: operatorsDecider,
    stream: OPERATORS_STREAM,
    idempotencyKey: `allowance:operator:${operator}:${key}:${day}`,
    request: { ...what, asset: 'points', day, minor },
    meta: { correlation: 'test', actor: `operator:${operator}` },
    prepare: async () => ({
      command: {
        ...({ type: 'UseAllowance', operator, ...what, asset: 'points', day } as const),
        deltaMinor: BigInt(minor),
        terms: defaultConfig.adjust,
      },
      configVersion: null,
    }),
  });
  await executor.close();
  expect(counted.kind).toBe('done');
}

test('allowances that were counted on earlier days pay for no action of today', async () => {
  let ann = await admin.add('operator');
  const { address } = ann.wallet;
  const players: TestPlayer[] = [];
  for (let day = 0; day < 3; day++) {
    for (let n = 0; n < 10; n++) {
      const player = await site.login();
      players.push(player);
      const key = `${players.length - 1}`;
      await countOnly(address, { key, player: player.wallet.address, minor: TENTH });
    }
    const over = await send(ann, adjustmentsOf(players[0] as TestPlayer), tenth);
    expect(over.error).toBe('operator-allowance-used');
    if (day < 2) ann = await tomorrow(ann);
  }
  // With the keys of today, each action is completed and counted once.
  const from = await next();
  const statuses = new Map<string, number>();
  for (const [n, player] of players.entries()) {
    const { proposal, error } = await send(ann, adjustmentsOf(player), { ...tenth, key: `${n}` });
    const result = proposal === null ? 'done' : (error ?? '');
    statuses.set(result, (statuses.get(result) ?? 0) + 1);
  }
  expect(statuses).toEqual(
    new Map([
      ['operator-allowance-used', 20],
      ['done', 10],
    ]),
  );
  const types = await typesFrom(from);
  expect([count(types, 'BalanceAdjusted'), count(types, 'AllowanceUsed')]).toEqual([10, 0]);
  expect(await findings()).toEqual([]);
  // A void that was counted yesterday counts again.
  const { data } = await start(players[0] as TestPlayer, 'snake');
  const player = players[0]?.wallet.address ?? '';
  const round = data.round_id;
  const bob = await admin.add('operator');
  await countOnly(bob.wallet.address, { key: 'v', player, minor: String(STAKE * 100), round });
  const later = await tomorrow(bob);
  const path = `/players/${player}/rounds/${round}/void`;
  const then = await next();
  expect(await send(later, path, { key: 'v' })).toMatchObject({ proposal: null });
  expect((await typesFrom(then)).filter((type) => type !== 'SessionStarted')).toEqual([
    'AllowanceUsed',
    'BetVoided',
  ]);
  expect(await findings()).toEqual([]);
});
