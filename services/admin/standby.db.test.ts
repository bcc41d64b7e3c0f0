import { adminRoutes } from '@reelbook/contract/admin/routes';
import { routes } from '@reelbook/contract/player/routes';
import { ADMIN_BASE, API_BASE, type Route, type Routes } from '@reelbook/contract/route';
import { freePort } from '@reelbook/runtime/ports';
import { type AdminSite, startAdminSite } from '@reelbook/simulator/stages/admin-site';
import { startSite, type TestPlayer, type TestSite } from '@reelbook/simulator/stages/site';
import { afterAll, beforeAll, expect, test } from 'vitest';

let site: TestSite;
let admin: AdminSite;
let anna: TestPlayer;
let round: string;
beforeAll(async () => {
  // Nothing listens there: a call that needs it fails, and each one that may use it is counted.
  site = await startSite({ readUrl: `postgres://a:b@127.0.0.1:${await freePort()}/none` });
  admin = await startAdminSite(site);
  anna = await site.login();
  const body = { bet_amount: 1, lines: 25 };
  round = (await anna.call<{ round_id: string }>('/game/slot-machine/bet', { body })).data.round_id;
});
afterAll(async () => {
  await admin.close();
  await site.close();
});

const QUERIES: Readonly<Record<string, string>> = {
  find: 'q=house',
  stateAt: 'stream=config',
  stateDiff: 'stream=config&from=0&to=1',
  explainBalance: 'account=house&asset=points',
  accountMovements: 'account=house&asset=points',
  trialDiff: 'from=0&to=1',
  exportEvents: 'format=csv',
  statementFile: 'format=csv',
};

function pathOf(name: string, { path, query }: Route): string {
  const params: Readonly<Record<string, string>> = {
    ...{ wallet: anna.wallet.address, round_id: round, board: 'wins', game: 'slot-machine' },
    ...{ name: 'entries', finding: 'ab'.repeat(32) },
  };
  const filled = path.replace(/:(\w+)/g, (_, key: string) => params[key] ?? '1');
  const isStatement = query && 'asset' in ((query as { properties?: object }).properties ?? {});
  const asked = QUERIES[name] ?? (isStatement && name === 'statement' ? 'asset=points' : '');
  return `${filled}${asked && `?${asked}`}`;
}

/** The calls that ask the standby, of all routes of an API. */
async function askers(all: Routes, base: string, token: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [name, route] of Object.entries(all)) {
    if (/signOut|logout/.test(name)) continue;
    const before = site.standby?.answered.leader ?? 0;
    const { method } = route;
    const response = await fetch(base + pathOf(name, route), {
      method,
      headers: {
        ...{ authorization: `Bearer ${token}`, 'x-ledger-position': '0' },
        ...(method !== 'GET' && { 'content-type': 'application/json' }),
      },
      ...(method !== 'GET' && { body: '{}' }),
    });
    await response.text();
    if ((site.standby?.answered.leader ?? 0) > before) found.push(name);
  }
  return found;
}

test('only lists of players ask a standby', async () => {
  expect(await askers(routes, site.url + API_BASE, anna.token)).toEqual([
    'achievements',
    'notifications',
    'statement',
    'leaderboard',
    'recentWinnings',
    'slotHistory',
    'slotStats',
    'gameHistory',
    'gameStats',
  ]);
});

test('only lists, reports and exports of the console ask a standby', async () => {
  const asking = await askers(adminRoutes, admin.url + ADMIN_BASE, admin.by.admin.token);
  expect(asking.toSorted()).toEqual([
    'accountMovements',
    'configurationHistory',
    'countMatches',
    'eventGraph',
    'explainBalance',
    'explorer',
    'exportEvents',
    'largeWins',
    'players',
    'returns',
    'revenue',
    'statement',
    'trialDiff',
  ]);
});

test('commands, dry runs and what decides about them ask none', async () => {
  const { answered } = site.standby ?? { answered: null };
  const before = { ...answered };
  const bob = await site.login();
  const done = [
    await bob.call('/game/slot-machine/bet', { body: { bet_amount: 1, lines: 25 }, known: 1 }),
    await bob.call('/user/balance', { known: 1 }),
    await bob.call('/fairness/seeds', { known: 1 }),
    await bob.call('/user/protection', { known: 1 }),
    await bob.call('/user/transactions', { known: 1 }),
    await bob.call('/user/sessions', { known: 1 }),
  ];
  const notes = `/admin/players/${bob.wallet.address}/notes`;
  const act = { body: { note: 'seen' }, known: 1 };
  done.push(await admin.by.operator.call(`${notes}/dry-run`, act));
  done.push(await admin.by.operator.call(notes, act));
  for (const path of ['/proposals', '/withdrawals', '/house/solvency', '/switches', '/engine']) {
    done.push(await admin.by.operator.call(`/admin${path}`, { known: 1 }));
  }
  expect(done.map(({ status, message }) => (status === 200 ? 200 : message))).toEqual(
    done.map(() => 200),
  );
  // Each has the position that the next list has to have.
  for (const { position } of done.slice(1, 6)) expect(position).toBeGreaterThan(1);
  expect(answered).toEqual(before);
});
