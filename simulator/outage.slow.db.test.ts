/** Outages of servers, on real processes. TEST_OUTAGE_S=20 keeps the servers away for 20 s. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { BetResult } from '@reelbook/contract/player/games';
import { readCheckpoints } from '@reelbook/event-store/checkpoint';
import { startExecutor } from '@reelbook/event-store/execute';
import { findGame } from '@reelbook/games/rules';
import { assert } from '@reelbook/ledger/assert';
import { configDecider } from '@reelbook/ledger/config/decide';
import { CONFIG_STREAM } from '@reelbook/ledger/streams';
import { readSettings } from '@reelbook/runtime/settings';
import { natsAvailable } from '@reelbook/testing/nats';
import { createRandom } from '@reelbook/testing/random';
import { SEED } from '@reelbook/testing/seeds';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, call } from './client/api.ts';
import { Player, SPIN_PATH } from './client/player.ts';
import { playMore } from './runs/play-through.ts';
import { type Scene, setScene } from './stages/scene.ts';
import { manageStream } from './verdict/recovered.ts';

const OUTAGE_MS = readSettings().testOutageS * 1_000;
/** Postgres is away for longer than any call waits for it (5 s), so that every player must hear of it. */
const BOOK_OUTAGE_MS = Math.max(OUTAGE_MS, 8_000);
const TIMEOUT_MS = OUTAGE_MS + 300_000;
const STREAM = 'LEDGER';
/** Of a wallet that no other player of the scenes has. */
const GUEST = SEED + 500;

let scene: Scene;
beforeAll(async () => {
  scene = await setScene();
}, TIMEOUT_MS);
afterAll(async () => {
  await scene.close();
  scene.stage.remove();
}, TIMEOUT_MS);

test(
  'Postgres gone: 503 with Retry-After, then healthy again, nothing lost or doubled',
  async () => {
    const players = await scene.during(async () => {
      await scene.stage.kill('postgres', BOOK_OUTAGE_MS, createRandom(SEED));
      await scene.stage.settled();
    });
    for (const { journal } of players) expect(journal.unserved.busy).toBeGreaterThan(0);
    await scene.expectSound();
  },
  TIMEOUT_MS,
);

const ownNats = natsAvailable() && readSettings().natsUrl === null;

describe.runIf(ownNats)('NATS', () => {
  const server = () => {
    const { natsUrl, nats } = scene.stage;
    if (!natsUrl || !nats?.process) throw new Error('this machine has a nats-server');
    return { url: natsUrl, ...nats.process };
  };

  test(
    'gone: players notice nothing but later pushes',
    async () => {
      const players = await scene.during(async (playing) => {
        await server().kill();
        await sleep(OUTAGE_MS);
        await playMore(playing);
        // Brought by the comparison with the ledger alone.
        const late = playing.map((player) => player.received());
        expect(await Promise.all(late)).not.toContain(false);
        await server().start();
      });
      for (const { journal } of players) expect(journal.unserved.silent).toBe(0);
      await scene.expectSound();
    },
    TIMEOUT_MS,
  );

  test(
    'gone while the configuration changes: a gateway that has not received is refused its append, and reloads',
    async () => {
      const guest = new Player({ origins: scene.stage.gateways, seed: GUEST });
      const { journal } = guest;
      scene.journals.push(journal);
      const token = await guest.enter();
      const bet = async (points: number, origin: string): Promise<Answer<BetResult>> => {
        const key = `guest-${journal.spins.length}-${points}`;
        const body = { bet_amount: points, lines: 25 };
        const answer = await call<BetResult>(origin, SPIN_PATH, { token, body, key });
        const one = { key, betAmount: points, tries: 1, refusal: null, waitedMs: 0 };
        // One that is refused is no spin.
        if (answer.status === 200) journal.spins.push({ ...one, answers: [answer.data] });
        return answer;
      };
      expect(await bet(10, scene.stage.gateways[0])).toMatchObject({ status: 200 });
      await server().kill();
      await limitStakes(scene.pool, 5n);
      // Immediately on both: their own check every few seconds has not run yet.
      for (const origin of scene.stage.gateways) {
        expect(await bet(10, origin)).toMatchObject({
          status: 400,
          message: expect.stringContaining('exceeds maximum'),
        });
        expect(await bet(5, origin)).toMatchObject({ status: 200 });
      }
      await limitStakes(scene.pool, 1_000n);
      await server().start();
      // Until then a gateway refuses by the lower limit, and players end at a refusal.
      for (const origin of scene.stage.gateways) {
        await expect.poll(async () => (await bet(10, origin)).status).toBe(200);
      }
      await scene.during(async () => {});
      await scene.expectSound();
    },
    TIMEOUT_MS,
  );

  test.each([
    ['its stream deleted', () => manageStream(server().url, (streams) => streams.delete(STREAM))],
    [
      'its stream cut short',
      () => manageStream(server().url, (streams) => streams.purge(STREAM, { keep: 3 })),
    ],
    ['its stream emptied', () => manageStream(server().url, (streams) => streams.purge(STREAM))],
    [
      'new and empty',
      async () => {
        await server().kill();
        server().empty();
        await server().start();
      },
    ],
  ])(
    '%s: everything recover, pushes come, projections go on',
    async (_name, act) => {
      await scene.during(async () => void (await act()));
      await scene.expectSound();
    },
    TIMEOUT_MS,
  );
});

/** Changes the configuration behind the gateways' backs: a process of its own would do just this. */
async function limitStakes(pool: pg.Pool, maxPoints: bigint): Promise<void> {
  const executor = startExecutor({ pool });
  const id = 'slot-machine';
  const executed = await executor.execute({
    decider: configDecider,
    stream: CONFIG_STREAM,
    idempotencyKey: `config:test:${Date.now()}:${maxPoints}`,
    request: null,
    meta: { correlation: 'test', actor: 'system:test' },
    async prepare({ config }) {
      const game = config?.games[id];
      assert(config && game, 'the gateways have configured the ledger');
      const games = { ...config.games, [id]: { ...game, maxStakeMinor: maxPoints * 100n } };
      const knownRules = { [id]: findGame(id)?.rulesIds ?? [] };
      const command = { type: 'ChangeConfig' as const, reason: 'test', knownRules };
      const shell = { by: 'system:test', adminsEver: 0 };
      const changed = { ...command, ...shell, config: { ...config, games } };
      return { command: changed, configVersion: null };
    },
  });
  assert(executed.kind === 'done', 'the change is valid');
  await executor.close();
}

const PID_OF_HOLDER = /-(\d+)-[0-9a-f]{8}-[0-9a-f-]{27}$/;

/** The process that holds the lease of a follower. */
async function holderOf(name: string): Promise<number> {
  const found = (await readCheckpoints(scene.pool)).find((one) => one.name === name);
  return Number(PID_OF_HOLDER.exec(found?.holder ?? '')?.[1] ?? 0);
}

/** Starts a second one and stops the active one until the other has taken over. */
async function sleepThrough(main: 'publisher' | 'projector', follower: string): Promise<void> {
  scene.stage.start(`${main}-2`, main);
  const seen = watchPositions();
  await scene.during(async (players) => {
    let sleeper = 0;
    await expect.poll(async () => (sleeper = await holderOf(follower))).toBeGreaterThan(0);
    process.kill(sleeper, 'SIGSTOP');
    const passed = async () => ![0, sleeper].includes(await holderOf(follower));
    await expect.poll(passed).toBe(true);
    await playMore(players);
    process.kill(sleeper, 'SIGCONT');
    await playMore(players);
  });
  expect(await seen.end()).toEqual([]);
  await scene.expectSound();
}

test(
  'a projector that sleeps through the loss of its lease: nothing doubled, lost or set back',
  () => sleepThrough('projector', 'balances'),
  TIMEOUT_MS,
);

test.runIf(ownNats)(
  'a publisher that sleeps through the loss of its lease: nothing doubled, lost or set back',
  () => sleepThrough('publisher', 'publisher'),
  TIMEOUT_MS,
);

// No outage resets or repairs a projection, so a fault of any of them is still visible.
test(
  'after all of them every projection equals its replay',
  () => scene.expectReplaysEqual(),
  TIMEOUT_MS,
);

/** Watches every checkpoint until it is stopped. @returns those that went backwards. */
function watchPositions() {
  const highest = new Map<string, number>();
  const setBack: string[] = [];
  let ended = false;
  const look = async () => {
    while (!ended) {
      for (const { name, position } of await readCheckpoints(scene.pool).catch(() => [])) {
        if (position < (highest.get(name) ?? 0)) setBack.push(name);
        highest.set(name, position);
      }
      await sleep(10);
    }
  };
  const looking = look();
  return {
    async end() {
      ended = true;
      await looking;
      return setBack;
    },
  };
}
