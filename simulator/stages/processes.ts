import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@reelbook/runtime/ports';
import { programPath } from '@reelbook/runtime/settings';
import { natsAvailable, startNats, type TestNats } from '@reelbook/testing/nats';
import type { Victim } from '../faults/schedule.ts';
import type { Random } from '../random.ts';
import { LAG } from './lag.ts';
import { startPostgres } from './postgres.ts';
import { type Service, startService } from './service.ts';

/** All of Reelbook as processes of their own: a Postgres, a NATS, a publisher, a projector and two gateways. */
export interface Stage {
  readonly gateways: readonly [string, string];
  /** Superuser. */
  readonly databaseUrl: string;
  /** Null where this machine has none: then Reelbook runs without, which it must bear. */
  readonly natsUrl: string | null;
  readonly nats: TestNats | null;
  readonly seedKey: string;
  readonly folder: string;
  readonly services: readonly Service[];
  /** Another publisher or projector beside the first. */
  add(name: string, main: 'publisher' | 'projector'): void;
  /** Who can be killed here. */
  readonly victims: readonly Victim[];
  /** Kills it if it is up. @returns whether it was. */
  kill(victim: Victim, downMs: number, random: Random): Promise<boolean>;
  /** Resolves when no start of a server is under way. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

const SECRET_BYTES = 32;
/** Nothing listens there: what a NATS_URL says that is never reached. */
const NOWHERE = 'nats://127.0.0.1:1';

export async function startStage(): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), `reelbook-crash-${process.pid}-`));
  const logFolder = join(folder, 'logs');
  mkdirSync(logFolder);
  const postgres = await startPostgres(join(folder, 'postgres'));
  const nats = natsAvailable() ? await startNats() : null;
  const seedKey = randomBytes(SECRET_BYTES).toString('hex');
  const shared = {
    PATH: programPath().join(':'),
    DATABASE_URL: postgres.url,
    NATS_URL: nats?.url ?? NOWHERE,
    SEED_KEY: seedKey,
    SESSION_KEY: randomBytes(SECRET_BYTES).toString('hex'),
    RECEIPT_KEY: randomBytes(SECRET_BYTES).toString('hex'),
    PLAY_MONEY: 'yes',
    GAME_TICK_MS: '5',
    LOG_LEVEL: 'info',
    TEST_LAG: LAG.order,
  };
  const start = (name: string, main: string, extra: Record<string, string> = {}) =>
    startService({ name, main, environment: { ...shared, ...extra }, logFolder });
  const ports = [String(await freePort()), String(await freePort())] as const;
  const services = [
    start('gateway-1', 'gateway', { PORT: ports[0] }),
    start('gateway-2', 'gateway', { PORT: ports[1] }),
    start('publisher', 'publisher'),
    start('projector', 'projector'),
  ];
  const courier = nats?.process ? killable(nats) : null;

  return {
    gateways: [`http://127.0.0.1:${ports[0]}`, `http://127.0.0.1:${ports[1]}`],
    databaseUrl: postgres.url,
    natsUrl: nats?.url ?? null,
    nats,
    seedKey,
    folder,
    services,
    add: (name, main) => void services.push(start(name, main)),
    victims: [
      'gateway-1',
      'gateway-2',
      'publisher',
      'projector',
      ...(courier ? (['nats'] as const) : []),
      'postgres',
      'backend',
    ],
    async kill(victim, downMs, random) {
      if (victim === 'nats') return (await courier?.kill(downMs)) ?? false;
      if (victim === 'postgres') return postgres.kill(downMs);
      if (victim === 'backend') return postgres.killBackend(random);
      const service = services.find(({ name }) => name === victim);
      if (!service || service.pid() === null) return false;
      await service.kill(downMs);
      return true;
    },
    async settled() {
      await Promise.all([postgres.settled(), courier?.settled()]);
    },
    async stop() {
      await Promise.all(services.map((service) => service.stop()));
      await courier?.settled();
      await nats?.stop();
      await postgres.stop();
    },
  };
}

/** Takes away what a run left. Kept when something was wrong: the logs tell what. */
export function removeStage(stage: Stage): void {
  rmSync(stage.folder, { recursive: true, force: true });
}

function killable(nats: TestNats) {
  let up = true;
  let starting: Promise<void> = Promise.resolve();
  return {
    async kill(downMs: number): Promise<boolean> {
      if (!up) return false;
      up = false;
      await nats.process?.kill();
      starting = new Promise((resolve) => setTimeout(resolve, downMs)).then(async () => {
        await nats.process?.start();
        up = true;
      });
      starting.catch(() => {});
      return true;
    },
    settled: () => starting,
  };
}
