import type { Seeds } from '@reelbook/contract/player/fairness';
import type { BetResult } from '@reelbook/contract/player/games';
import { readStream } from '@reelbook/event-store/read-stream';
import { checkRound } from '@reelbook/games/check';
import type { RecordedEvent } from '@reelbook/ledger/events';
import { toMinor } from '@reelbook/ledger/money';
import { playerStream } from '@reelbook/ledger/streams';
import { startSite, type TestPlayer, type TestSite } from '@reelbook/simulator/stages/site';
import { sellPoints } from '@reelbook/testing/treasury';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { betAnswer } from './answers/player.ts';

const BET = '/game/slot-machine/bet';

let site: TestSite;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

const bet = (player: TestPlayer, amount: unknown, key?: string) =>
  player.call<BetResult>(BET, {
    body: { bet_amount: amount },
    ...(key === undefined ? {} : { key }),
  });

const eventsOf = (player: TestPlayer) =>
  readStream(site.pool, {
    stream: playerStream(player.wallet.address),
    fromVersion: 1,
    limit: 1_000,
  });

async function seedsOf(player: TestPlayer) {
  const { data } = await player.call<Seeds>('/fairness/seeds');
  const { server_seed_hash: serverSeedHash, client_seed: clientSeed } = data.active;
  return { serverSeedHash, clientSeed };
}

/** The bets of a stream, two events each. */
async function roundsOf(player: TestPlayer): Promise<RecordedEvent[][]> {
  const events = await eventsOf(player);
  return events.flatMap((event, i) =>
    event.event.type === 'BetPlaced' ? [events.slice(i, i + 2)] : [],
  );
}

describe('a bet', () => {
  test.each([
    ['0', 'bet amount below minimum: bet at least 1 point'],
    ['-1', 'bet amount below minimum: bet at least 1 point'],
    ['-1e30', 'bet amount below minimum: bet at least 1 point'],
    ['1001', 'bet amount exceeds maximum: bet at most 1000 points'],
    ['1e18', 'bet amount exceeds maximum: bet at most 1000 points'],
    ['1e300', 'bet amount exceeds maximum: bet at most 1000 points'],
    ['1.5', 'bet amount must be an integer number of points'],
    ['0.001', 'bet amount must be an integer number of points'],
    ['"10"', 'bet_amount must be a number'],
    ['null', 'bet_amount must be a number'],
    ['true', 'bet_amount must be a number'],
    ['[10]', 'bet_amount must be a number'],
    ['1e309', 'bet_amount must be a number'],
    ['-1e309', 'bet_amount must be a number'],
    ['NaN', 'the body is not valid JSON'],
    ['1, "extra": 1', 'extra is not a field of this call'],
    ['1, "lines": 0', 'lines must be an integer from 1 to 25'],
    ['1, "lines": 26', 'lines must be an integer from 1 to 25'],
    ['1, "lines": 1.5', 'lines must be an integer'],
    ['1, "lines": "25"', 'lines must be an integer'],
    ['1, "__proto__": {"a":1}', 'the body is not valid JSON'],
  ])('of %s is refused without effect', async (amount, message) => {
    const player = await site.login();
    const before = await player.call('/user/balance');
    const response = await fetch(`${site.url}/api/v1${BET}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${player.token}`, 'content-type': 'application/json' },
      body: `{"bet_amount":${amount}}`,
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 400, message });
    expect((await player.call('/user/balance')).data).toEqual(before.data);
  });

  test('above the balance is refused with the amounts', async () => {
    const player = await site.login();
    await sellPoints(site, player, 1);
    const answer = await bet(player, 1_000);
    expect(answer.status).toBe(400);
    expect(answer.message).toMatch(
      /^insufficient points balance: you have 999 points; this bet needs 1000/,
    );
    expect(answer.data).toMatchObject({ error: 'insufficient-points', points: 999, stake: 1_000 });
  });

  test('returns what the ledger records at the position in the header', async () => {
    const player = await site.login();
    const answer = await bet(player, 7);
    expect(answer.status).toBe(200);
    const [round] = await roundsOf(player);
    expect(answer.data).toEqual(betAnswer(round ?? [], await seedsOf(player)));
    expect(answer.position).toBe(answer.data.position);
    const { data: balance } = await player.call('/user/balance');
    expect(answer.data).toMatchObject(balance as object);
  });
});

test('a hundred parallel spins all get a response, and never stake more than the balance', async () => {
  const player = await site.login();
  const answers = await Promise.all(Array.from({ length: 100 }, () => bet(player, 50)));
  const rounds = await roundsOf(player);
  const events = await eventsOf(player);
  const won = answers.filter(({ status }) => status === 200);
  const refused = answers.filter(({ status }) => status === 400);
  expect(won.length + refused.length).toBe(100);
  expect(won.length).toBeGreaterThanOrEqual(20);
  for (const { message } of refused) expect(message).toMatch(/^insufficient points balance/);
  const byPosition = won.map(({ data }) => data).sort((a, b) => a.position - b.position);
  const seeds = await seedsOf(player);
  expect(byPosition).toEqual(rounds.map((round) => betAnswer(round, seeds)));
  let points = 0n;
  for (const { event } of events) {
    if (event.type === 'BetPlaced') expect(event.data.stakeMinor).toBeLessThanOrEqual(points);
    if ('after' in event.data && event.type !== 'ConfigChanged')
      points = event.data.after.pointsMinor;
  }
  const nonces = byPosition.map(({ nonce }) => nonce);
  expect(nonces).toEqual(nonces.map((_, index) => index));
});

describe('an idempotency key', () => {
  test('returns the first response again, also for concurrent calls and another gateway', async () => {
    const player = await site.login();
    const other = await site.addGateway();
    const first = await bet(player, 5, 'k-1');
    const again = await bet(player, 5, 'k-1');
    expect(again).toEqual(first);
    const together = await Promise.all(Array.from({ length: 10 }, () => bet(player, 5, 'k-2')));
    for (const answer of together) expect(answer).toEqual(together[0]);
    const response = await fetch(`${other.url}/api/v1${BET}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${player.token}`,
        'content-type': 'application/json',
        'idempotency-key': 'k-1',
      },
      body: '{"lines":25,"bet_amount":5}',
    });
    expect(await response.json()).toMatchObject({ code: 200, data: first.data });
    expect(await roundsOf(player)).toHaveLength(2);
  });

  test('with another body is refused', async () => {
    const player = await site.login();
    await bet(player, 5, 'k');
    const other = await bet(player, 6, 'k');
    expect(other).toMatchObject({ status: 422, data: { error: 'idempotency-key-reused' } });
    expect(await roundsOf(player)).toHaveLength(1);
  });

  test('is separate for each player', async () => {
    const [one, two] = [await site.login(), await site.login()];
    const [first, second] = [await bet(one, 5, 'same'), await bet(two, 5, 'same')];
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.data.round_id.startsWith(two.publicId)).toBe(true);
  });

  test('of a refused bet can be used again', async () => {
    const player = await site.login();
    expect((await bet(player, 1_001, 'k')).status).toBe(400);
    expect((await bet(player, 1, 'k')).status).toBe(200);
  });

  test.each([' ', 'a b', 'x'.repeat(129)])('of %j is refused', async (key) => {
    const player = await site.login();
    const answer = await bet(player, 1, key);
    expect(answer.status).toBe(400);
    expect(answer.message).toContain('idempotency-key');
  });
});

describe('a rotation', () => {
  test('reveals the seed that recomputes every round of the pair', async () => {
    const player = await site.login();
    const { data: before } = await player.call<Seeds>('/fairness/seeds');
    expect(before.active.client_seed_by).toBe('site');
    const results: BetResult[] = [];
    for (let i = 0; i < 12; i++) results.push((await bet(player, 1 + i)).data);
    const rotated = await player.call<Seeds>('/fairness/rotate', { body: { client_seed: 'mine' } });
    const [revealed] = rotated.data.revealed;
    expect(revealed).toMatchObject({
      pair: 1,
      server_seed_hash: before.active.server_seed_hash,
      nonces: 12,
    });
    expect(rotated.position).toBeGreaterThan(results.at(-1)?.position ?? 0);
    expect(rotated.data).toMatchObject({
      pair: 2,
      active: {
        server_seed_hash: before.next.server_seed_hash,
        client_seed: 'mine',
        client_seed_by: 'player',
        nonce: 0,
      },
    });
    for (const result of results) {
      const check = checkRound(
        {
          game: 'slot-machine',
          rules: result.rules,
          stakeMinor: toMinor('points', result.bet_amount) ?? 0n,
          lines: result.lines,
          serverSeedHash: result.server_seed_hash,
          clientSeed: result.client_seed,
          nonce: result.nonce,
          outcome: { symbols: result.symbols[0] },
          payoutMinor: toMinor('points', result.total_win) ?? 0n,
        },
        revealed?.server_seed ?? '',
      );
      expect(check.ok, result.round_id).toBe(true);
    }
  });

  test('applies to the next of parallel bets, and no bet is lost', async () => {
    const player = await site.login();
    const [answers] = await Promise.all([
      Promise.all(Array.from({ length: 20 }, () => bet(player, 1))),
      player.call('/fairness/rotate', { body: {} }),
      player.call('/fairness/rotate', { body: {} }),
    ]);
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(await roundsOf(player)).toHaveLength(20);
  });

  test.each([
    ['nothing', ''],
    ['a colon', 'a:b'],
    ['a space', 'with space'],
    ['a letter that is no ASCII', 'é'],
    ['emoji', '🍀🍀🍀'],
    ['65 characters', 'x'.repeat(65)],
    ['10 KB', 'x'.repeat(10_240)],
    ['a control character', '\u0000'],
    ['half a character', '\ud800'],
  ])('refuses a client seed of %s without effect', async (_name, clientSeed) => {
    const player = await site.login();
    const before = (await player.call<Seeds>('/fairness/seeds')).data;
    const answer = await player.call('/fairness/rotate', { body: { client_seed: clientSeed } });
    expect(answer).toMatchObject({ status: 400, data: { error: 'client-seed-invalid' } });
    expect(answer.message).toBe(
      'a client seed is 1 to 64 visible ASCII characters without a colon or a space',
    );
    expect((await player.call<Seeds>('/fairness/seeds')).data).toEqual(before);
  });

  test.each([
    [{ client_seed: 7 }, 400, 'client_seed must be a string'],
    [{ client_seed: null }, 400, 'client_seed must be a string'],
    [{ seed: 'x' }, 400, 'seed is not a field of this call'],
    [{ client_seed: 'x'.repeat(20_000) }, 413, 'the body is too large: at most 16384 bytes'],
  ])('refuses the rotation %#', async (body, status, message) => {
    const player = await site.login();
    const answer = await player.call('/fairness/rotate', { body });
    expect([answer.status, answer.message]).toEqual([status, message]);
  });
});
