import { auditLedger } from '@reelbook/audit/audit';
import type { Seeds } from '@reelbook/contract/player/fairness';
import { startSite, type TestSite } from '@reelbook/simulator/stages/site';
import { afterAll, beforeAll, expect, test } from 'vitest';

let site: TestSite;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

test('after the deletion of an encrypted seed, bet and rotation fail clearly, nothing is lost, and the audit reports the seed', async () => {
  const [ann, bob] = [await site.login(), await site.login()];
  const { data } = await ann.call<Seeds>('/fairness/seeds');
  const hash = data.active.server_seed_hash;
  const bet = (player: typeof ann) =>
    player.call('/game/slot-machine/bet', { body: { bet_amount: 1 } });
  const owner = site.database.pool('owner', 1);
  const asSuperuser = async (sql: string) => {
    await owner.query("set session_replication_role = 'replica'");
    await owner.query(sql, [Buffer.from(hash, 'hex')]);
    await owner.query("set session_replication_role = 'origin'");
  };
  await owner.query('create schema kept; create table kept.seeds as table server_seeds');
  await asSuperuser('delete from server_seeds where hash = $1');

  const lost = { status: 503, data: { error: 'seed-unavailable' } };
  expect(await bet(ann)).toMatchObject(lost);
  expect(await ann.call('/fairness/rotate', { body: { client_seed: 'mine' } })).toMatchObject(lost);
  expect((await ann.call('/user/balance')).data).toMatchObject({ points_balance: 1_000 });
  expect(await bet(bob)).toMatchObject({ status: 200 });
  const audit = async () => {
    const { findings } = await auditLedger({ pool: site.pool, vault: site.vault, onProgress() {} });
    return findings.kept.map(({ check, message }) => `${check}: ${message}`);
  };
  const address = ann.wallet.address;
  expect(await audit()).toEqual([
    `seeds: the seed committed to player ${address} is lost: no server seed is stored for hash ${hash}`,
  ]);

  await asSuperuser('insert into server_seeds select * from kept.seeds where hash = $1');
  expect(await bet(ann)).toMatchObject({ status: 200 });
  expect(await audit()).toEqual([]);
});
