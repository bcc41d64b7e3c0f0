import type { ReceiptKey, Seeds, SharedRound } from '@reelbook/contract/player/fairness';
import type { BetResult } from '@reelbook/contract/player/games';
import { checkShared } from '@reelbook/games/proofs/shared-round';
import { slotMachine } from '@reelbook/games/slot-machine/rules';
import { startSite, type TestPlayer, type TestSite } from '@reelbook/simulator/stages/site';
import { untilCaughtUp } from '@reelbook/testing/caught-up';
import { clientSeedFor } from '@reelbook/testing/next-draw';
import { afterAll, beforeAll, expect, test } from 'vitest';

const BET = 2;

let site: TestSite;
let anna: TestPlayer;
/** A win, a loss and a win of one pair of seeds. */
let rounds: readonly BetResult[];
let key: string;
beforeAll(async () => {
  site = await startSite();
  anna = await site.login();
  await anna.call('/user/profile', { method: 'PUT', body: { nickname: 'Anna of the tests' } });
  const { data: seeds } = await anna.call<Seeds>('/fairness/seeds');
  const { rules } = slotMachine.defaults;
  const client_seed = await clientSeedFor(site.vault, seeds.next.server_seed_hash, (drawsOf) =>
    [true, false, true].every((isWon, nonce) => {
      const draws = drawsOf(nonce);
      const { payoutMinor } = slotMachine.draw({ rules, stakeMinor: 200n, lines: 1, draws });
      return payoutMinor > 0n === isWon;
    }),
  );
  await rotate(client_seed);
  rounds = [await bet(), await bet(), await bet()];
  key = (await anna.call<ReceiptKey>('/fairness/key')).data.public_key;
});
afterAll(() => site.close());

const bet = async () =>
  (await anna.call<BetResult>('/game/slot-machine/bet', { body: { bet_amount: BET } })).data;
const rotate = (client_seed?: string) => anna.call('/fairness/rotate', { body: { client_seed } });
const share = (round: string, player: Pick<TestPlayer, 'call'> = anna) =>
  player.call<SharedRound>(`/fairness/rounds/${round}/shared`);
const REFUSED = [404, 'only a won round whose server seed is revealed can be shared'];

test('a win is shared after the reveal of its seed, and draws again to the same result', async () => {
  const [won] = rounds;
  const early = await share(won?.round_id ?? '');
  expect([early.status, early.message]).toEqual(REFUSED);
  await rotate();
  const { status, data } = await share(won?.round_id ?? '');
  expect(status).toBe(200);
  const { checks } = checkShared(data, key);
  expect(checks.filter(({ state }) => state !== 'passes')).toEqual([]);
  const draw = checks.find(({ name }) => name === 'draw');
  const multiple = (won?.win_amount ?? 0) / BET;
  expect(draw?.message).toContain(JSON.stringify({ symbols: won?.symbols[0] }));
  expect(draw?.message).toContain(`pays ${multiple} times`);
  // Again, it is the same: nothing in it names when it was shared.
  expect((await share(won?.round_id ?? '')).data).toEqual(data);
});

test('it names neither its player nor stake, time, position or another round', async () => {
  const [won] = rounds;
  const { data } = await share(won?.round_id ?? '');
  const inputs = ['client_seed', 'lines', 'nonce', 'rules', 'server_seed'];
  expect(Object.keys(data).sort()).toEqual([...inputs, 'signature', 'version'].sort());
  const text = JSON.stringify(data);
  for (const secret of [anna.wallet.address, anna.publicId, 'Anna of the tests']) {
    expect(text).not.toContain(secret);
  }
});

test('a loss, a round of another player and an unknown one are not shared', async () => {
  const [won, lost] = rounds;
  const refused = await share(lost?.round_id ?? '');
  expect([refused.status, refused.message]).toEqual(REFUSED);
  const bert = await site.login();
  for (const [player, round] of [
    [bert, won?.round_id ?? ''],
    [anna, `${anna.publicId}-99`],
  ] as const) {
    const { status, message } = await share(round, player);
    expect([status, message]).toEqual([404, 'you have no such round']);
  }
  expect((await share(won?.round_id ?? '', site)).status).toBe(401);
});

test('a loss whose row names the settlement of a win is not signed', async () => {
  await untilCaughtUp(site.pool);
  const [, lost, won] = rounds;
  const projector = site.database.pool('projector', 1);
  const forged = await projector.query(
    'update projections.entries_v1 set settled = $2 where position = $1',
    [lost?.bet_position, won?.position],
  );
  expect(forged.rowCount).toBe(1);
  const refused = await share(lost?.round_id ?? '');
  expect([refused.status, refused.message]).toEqual(REFUSED);
});
