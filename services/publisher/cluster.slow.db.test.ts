/** A NATS cluster of three that loses its leader and its majority while the ledger goes on. */
import type { Bus } from '@reelbook/event-store/bus/bus';
import { connectNats } from '@reelbook/event-store/bus/nats';
import { openLink, STREAM } from '@reelbook/event-store/bus/nats-stream';
import { readLog } from '@reelbook/event-store/read-log';
import { assert } from '@reelbook/ledger/assert';
import { openLog } from '@reelbook/runtime/log';
import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { createHistory, walletOf } from '@reelbook/testing/history';
import { silentLog, takeTo, textsIn } from '@reelbook/testing/messages';
import { canStartNats, startNatsCluster, type TestNatsCluster } from '@reelbook/testing/nats';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Publisher, startPublisher } from './publisher.ts';

const log = openLog({ name: 'test', level: 'silent' });
const WAIT = { timeout: 120_000, interval: 200 };
const anna = walletOf(1);

describe.runIf(canStartNats())('a NATS cluster of three', () => {
  let cluster: TestNatsCluster;
  let database: TestDatabase;
  let bus: Bus;
  let link: Awaited<ReturnType<typeof openLink>>;
  let publisher: Publisher;
  const history = createHistory();
  beforeAll(async () => {
    [cluster, database] = await Promise.all([startNatsCluster(), createDatabase()]);
    bus = await connectNats({ url: cluster.url, log: silentLog });
    link = await openLink(cluster.url, silentLog);
    history.register(anna, 100_000_000n);
    publisher = startPublisher({ pool: database.pool('app', 2), bus, log });
  });
  afterAll(async () => {
    await publisher.close();
    await Promise.all([bus.close(), link.close(), cluster.stop()]);
    await database.drop();
  });

  function bets(count: number): Promise<number> {
    for (let i = 0; i < count; i++) history.bet(anna, 100n, i % 2 === 0 ? 150n : 0n);
    return history.appendTo(database.pool('app'));
  }

  const info = async () => (await link.manager()).streams.info(STREAM);

  const leader = () =>
    vi.waitFor(async () => {
      const name = (await info()).cluster?.leader;
      const found = cluster.servers.find((server) => server.name === name);
      assert(found, 'the stream has a leader');
      return found;
    }, WAIT);

  /** The stream has just the ledger's events, each once. */
  async function expectComplete(head: number): Promise<void> {
    await expect.poll(() => bus.lastStored(), WAIT).toMatchObject({ position: head });
    const events = await readLog(database.pool('app'), { from: 1, limit: 10_000 });
    const batches = await takeTo(bus, 1, head);
    expect(textsIn(batches)).toEqual(events.map(({ body }) => body));
    // A message that is there twice would be handed over once.
    await expect.poll(async () => (await info()).state.messages, WAIT).toBe(batches.length);
  }

  const expectAllCurrent = () =>
    expect
      .poll(async () => (await info()).cluster?.replicas?.map(({ current }) => current), WAIT)
      .toEqual([true, true]);

  test('the stream has three copies, and loses nothing with its leader', async () => {
    await expectComplete(await bets(5));
    await expect.poll(async () => (await info()).config.num_replicas).toBe(3);
    await expectAllCurrent();
    const first = await leader();
    await first.kill();
    for (let i = 0; i < 20; i++) await bets(1);
    await expectComplete(await bets(1));
    await first.start();
    await expectAllCurrent();
  });

  test('without a majority nothing is stored and the ledger goes on; afterwards nothing is missing or doubled', async () => {
    const [one, two] = cluster.servers;
    await Promise.all([one?.kill(), two?.kill()]);
    let head = 0;
    for (let i = 0; i < 20; i++) head = await bets(1);
    await expect.poll(() => publisher.status().failing, WAIT).not.toBeNull();
    await Promise.all([one?.start(), two?.start()]);
    await expectComplete(head);
    await expectComplete(await bets(5));
    await expectAllCurrent();
  });

  test('each server has all of it, also the one that leads next', async () => {
    for (let turn = 0; turn < 2; turn++) {
      const now = await leader();
      await now.kill();
      await expectComplete(await bets(3));
      await now.start();
      await expectAllCurrent();
    }
  });
});
