/** What a player checks of its own must not be blind: a gateway that answers something else is named. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { API_BASE } from '@reelbook/contract/route';
import { SEED } from '@reelbook/testing/seeds';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSite, type TestSite } from '../stages/site.ts';
import { readCommands } from '../verdict/ledger.ts';
import { examineOrder } from '../verdict/order.ts';
import { verifyRevealed } from '../verdict/revealed.ts';
import { LASTING, ORDERLY, Player } from './player.ts';

let site: TestSite;
let seed = SEED + 900;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

/** Spins around a rotation, a round of a game that lasts, and another rotation. @returns all faults, and the verified rounds. */
async function playAt(origin: string): Promise<{ faults: readonly string[]; verified: number }> {
  const player = new Player({ origins: [origin], seed: seed++, habits: ORDERLY });
  await player.enter();
  for (let n = 0; n < 2; n++) {
    await player.spin();
    await player.spin();
    await player.rotate();
  }
  for (const game of LASTING) {
    const begun = await player.begin(game);
    if (typeof begun === 'string') throw new Error(begun);
    await player.end(begun.round);
  }
  await player.rotate();
  const { verified, faults } = verifyRevealed(player.journal);
  return { faults: [...player.journal.faults, ...faults], verified };
}

test('what an honest gateway answers is verified, without a fault', async () => {
  const { faults, verified } = await playAt(site.url);
  expect(faults).toEqual([]);
  expect(verified).toBe(4 + LASTING.length);
});

test('each call with a version or a balance is in the history, with its times', async () => {
  const player = new Player({ origins: [site.url], seed: seed++, habits: ORDERLY });
  await player.enter();
  await player.spin();
  await player.look();
  await player.rotate();
  await player.insist('/user/balance');
  const [game] = LASTING;
  const begun = game && (await player.begin(game));
  if (!begun || typeof begun === 'string') throw new Error(begun);
  await player.end(begun.round);
  const { history, faults } = player.journal;
  expect(history.map(({ writes }) => writes)).toEqual([true, false, true, false, true, false]);
  expect(history.every(({ begunMs, endedMs }) => begunMs < endedMs)).toBe(true);
  const commands = [...(await readCommands(site.pool)).values()];
  const order = examineOrder(commands, [player.journal]);
  expect([...faults, ...order.faults]).toEqual([]);
  // Its settlement may be of any time since it began.
  const [settled] = history.slice(-1);
  expect(settled?.begunMs).toBe(begun.round.begunAtMs);
});

type Data = Record<string, number> & { readonly next: Record<string, string> };
const lies: readonly (readonly [string, string, (data: Data) => void, RegExp])[] = [
  [
    'a balance that does not follow',
    '/game/slot-machine/bet',
    (data) => Object.assign(data, { points_balance: (data.points_balance ?? 0) + 1 }),
    /^spin-\d: [\d.]+ points became/,
  ],
  [
    'a win that the seed does not give',
    '/game/slot-machine/bet',
    (data) => Object.assign(data, { total_win: (data.total_win ?? 0) + 1 }),
    /does not verify: payout-differs/,
  ],
  [
    'a promised seed that is not the next one',
    '/fairness/rotate',
    (data) => Object.assign(data.next, { server_seed_hash: 'f'.repeat(64) }),
    /active seed is not the one that was promised/,
  ],
  [
    'a round that lasts and pays something else',
    '/game/snake/play',
    (data) => Object.assign(data, { reward: (data.reward ?? 0) + 1 }),
    /paid \d+(\.\d+)?; its seed/,
  ],
];

test.each(lies)('%s is named', async (_name, path, lie, words) => {
  let n = 0;
  const gateway = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { authorization = '', 'idempotency-key': key } = request.headers;
    const answer = await fetch(site.url + request.url, {
      method: request.method ?? 'GET',
      headers: {
        authorization,
        ...(key ? { 'idempotency-key': String(key) } : {}),
        ...(chunks.length > 0 ? { 'content-type': 'application/json' } : {}),
      },
      ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}),
    });
    const body = (await answer.json()) as { data: Data };
    // Not the first: what follows from it is not known yet.
    const lying = request.url === API_BASE + path && answer.status === 200;
    if (lying && (n++ > 0 || path.endsWith('/play'))) lie(body.data);
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
  const { port } = gateway.address() as AddressInfo;
  const { faults } = await playAt(`http://127.0.0.1:${port}`);
  expect(faults.join('\n')).toMatch(new RegExp(words, 'm'));
  gateway.closeAllConnections();
  gateway.close();
});
