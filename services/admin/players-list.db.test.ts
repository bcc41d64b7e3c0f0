import { BSM } from '@reelbook/simulator/stages/paying-site';
import { type PaymentReview, startPaymentReview } from '@reelbook/simulator/stages/payment-review';
import type { TestPlayer } from '@reelbook/simulator/stages/site';
import { untilCaughtUp } from '@reelbook/testing/caught-up';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AdminData } from './answers.ts';

const NAMES = ['anna', 'bert', 'carl', 'dora', 'eve', 'fred'] as const;
type Name = (typeof NAMES)[number];

let bank: PaymentReview;
/** In the order of their registrations. */
const players = {} as Record<Name, TestPlayer>;
let before: number;

beforeAll(async () => {
  bank = await startPaymentReview({ isPaying: false });
  for (const [index, name] of NAMES.entries())
    players[name] = await bank.player(BSM * BigInt(index + 1));
  before = await untilCaughtUp(bank.site.pool);
  await bank.startCashier();
  for (const name of ['bert', 'dora', 'eve'] as const)
    await act(name, 'suspend', { reason: 'papers' });
  const { proposal } = await act('dora', 'reinstate', { reason: 'they came' });
  await bank.admin.approve(proposal);
  await act('eve', 'exclusion', { term: 'permanent', reason: 'asked by mail' });
  for (const name of ['carl', 'fred'] as const) {
    await players[name].call('/user/protection/exclusion', { body: { term: '24h' } });
  }
  await endExclusion('fred');
  // Each to another balance, the last one last.
  for (const [name, amount] of [
    ['anna', 10],
    ['dora', 40],
  ] as const) {
    const { status } = await players[name].call('/transaction/exchange', {
      body: { from_type: 'points', to_type: 'token', amount },
    });
    expect(status).toBe(200);
  }
  // Acts of others on a player.
  await act('bert', 'notes', { note: 'called' });
  await act('anna', 'adjustments', { amount: { asset: 'points', minor: '5000' }, reason: 'gift' });
  await untilCaughtUp(bank.site.pool);
});
afterAll(() => bank?.close());

async function act(name: Name, action: string, body: object) {
  const path = `/admin/players/${players[name].wallet.address}/${action}`;
  const { status, message, data } = await bank.admin.by.operator.call<{ proposal: number }>(path, {
    body,
  });
  expect(status, message).toBe(200);
  return data;
}

/** As if a day had passed. */
async function endExclusion(name: Name): Promise<void> {
  const owner = bank.site.database.pool('owner', 1);
  await owner.query('alter table events disable trigger append_only');
  const { rowCount } = await owner.query(
    `update events set body = regexp_replace(body::text, '"untilMs":\\d+', '"untilMs":1')::json
    where type = 'SelfExcluded' and body->>'stream' = $1`,
    [`player-${players[name].wallet.address}`],
  );
  await owner.query('alter table events enable trigger append_only');
  expect(rowCount).toBe(1);
}

const nameOf = ({ wallet }: { readonly wallet: string }) =>
  NAMES.find((name) => players[name].wallet.address === wallet);

async function list(query: string) {
  const { status, message, data } = await bank.admin.by.viewer.call<AdminData<'players'>>(
    `/admin/players?${query}`,
  );
  expect(status, message).toBe(200);
  return { names: data.players.map(nameOf), ...data };
}

test('players are filtered by standing, and an exclusion that is over is none', async () => {
  expect((await list('standing=suspended')).names.sort()).toEqual(['bert', 'eve']);
  expect((await list('standing=excluded')).names.sort()).toEqual(['carl', 'eve']);
  expect((await list('standing=active')).names.sort()).toEqual(['anna', 'dora', 'fred']);
  for (const standing of ['suspended', 'excluded'] as const) {
    for (const player of (await list(`standing=${standing}`)).players) {
      expect(player.standing[standing]).not.toBeNull();
    }
  }
  expect((await list(`standing=suspended&at=${before}`)).names).toEqual([]);
  const q = players.bert.wallet.address.slice(0, 12);
  expect((await list(`standing=suspended&q=${q}`)).names).toEqual(['bert']);
  expect((await list(`standing=active&q=${q}`)).names).toEqual([]);
});

test('players are sorted by what they did last, by balances and by registration', async () => {
  const { names, players: rows } = await list('');
  // Notes, suspensions and adjustments by operators are no activity of the player.
  expect(names).toEqual(['dora', 'anna', 'fred', 'carl', 'eve', 'bert']);
  const times = rows.map(({ active }) => active ?? '');
  expect(times).toEqual(times.toSorted().toReversed());
  expect((await list('sort=registered')).names).toEqual(NAMES.toReversed());
  for (const [index, sort] of (['points', 'token'] as const).entries()) {
    const { players: sorted } = await list(`sort=${sort}`);
    const held = sorted.map(({ balances }) => BigInt(balances[index]?.minor ?? -1));
    expect(held).toEqual(held.toSorted((a, b) => (a < b ? 1 : -1)));
    expect(new Set(held).size).toBeGreaterThan(1);
  }
  const was = await list(`sort=points&at=${before}`);
  expect(was.players.map(({ balances }) => balances[0]?.minor)).toEqual(
    NAMES.map(() => was.players[0]?.balances[0]?.minor),
  );
});

test.each(['activity', 'points', 'token', 'registered'])(
  'pages by %s have each player once, now and as of a position',
  async (sort) => {
    for (const at of ['', `&at=${before}`]) {
      const all = (await list(`sort=${sort}${at}`)).names;
      const seen: typeof all = [];
      for (let after = ''; ; ) {
        const { names, next } = await list(`sort=${sort}&limit=2${at}${after}`);
        seen.push(...names);
        if (next === null) break;
        after = `&after=${next}`;
      }
      expect(seen).toEqual(all);
      expect(all.toSorted()).toEqual([...NAMES]);
    }
  },
);

test.each(['standing=restricted', 'sort=wallet', 'after=anna', 'after=1_2_3'])(
  'a list that cannot be answered is refused: %s',
  async (query) => {
    expect((await bank.admin.by.viewer.call(`/admin/players?${query}`)).status).toBe(400);
  },
);

test('the day has its revenue, deposits and players online', async () => {
  const { data } = await bank.admin.by.viewer.call<AdminData<'today'>>('/admin/house/today');
  const { rows } = await bank.site.pool.query(
    `select sum(points)::text as points from projections.balances_v1`,
  );
  const house = BigInt(data.points.net.minor) + BigInt(data.points.exchanged.minor);
  expect(house).toBe(-BigInt(rows[0].points));
  expect(data.online).toBe(NAMES.length);
});
