import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@reelbook/runtime/ports';
import type { Random } from '@reelbook/testing/random';
import { revivable } from '../faults/revivable.ts';
import type { Victim } from '../faults/schedule.ts';
import { startPostgres } from './postgres.ts';
import { createFolder, openServices, type Services } from './services.ts';

/** All of Reelbook as processes of their own: a Postgres, a NATS, a publisher, a projector, an auditor and two gateways. */
export interface Stage extends Services {
  readonly gateways: readonly [string, string];
  /** Superuser. */
  readonly databaseUrl: string;
  /** Who can be killed here. */
  readonly victims: readonly Victim[];
  /** Kills it if it is up. @returns whether it was. */
  kill(victim: Victim, downMs: number, random: Random): Promise<boolean>;
  /** Resolves when no start of a server is under way. */
  settled(): Promise<void>;
  /** Takes away what it left. Not done when something was wrong: the logs show what. */
  remove(): void;
}

/** `startDatabase` gets a folder that does not exist. */
export async function startStage(startDatabase = startPostgres): Promise<Stage> {
  const folder = createFolder();
  const postgres = await startDatabase(join(folder, 'postgres'));
  const settings = { PLAY_MONEY: 'yes', GAME_TICK_MS: '5', LOG_LEVEL: 'info' };
  const opened = await openServices(postgres.url, settings, folder);
  const { nats, services, start } = opened;
  const ports = [String(await freePort()), String(await freePort())] as const;
  for (const [index, PORT] of ports.entries()) start(`gateway-${index + 1}`, 'gateway', { PORT });
  start('publisher', 'publisher');
  start('projector', 'projector');
  start('auditor', 'auditor/serve');
  const bus = nats?.process ? revivable(nats.process) : null;
  return {
    ...opened,
    gateways: [`http://127.0.0.1:${ports[0]}`, `http://127.0.0.1:${ports[1]}`],
    databaseUrl: postgres.url,
    victims: [
      ...(['gateway-1', 'gateway-2', 'publisher', 'projector'] as const),
      ...(bus ? (['nats'] as const) : []),
      ...(['postgres', 'backend'] as const),
    ],
    async kill(victim, downMs, random) {
      if (victim === 'nats') return (await bus?.kill(downMs)) ?? false;
      if (victim === 'postgres') return postgres.kill(downMs);
      if (victim === 'backend') return postgres.killBackend(random);
      const service = services.find(({ name }) => name === victim);
      if (!service || service.pid() === null) return false;
      await service.kill(downMs);
      return true;
    },
    async settled() {
      await Promise.all([postgres.settled(), bus?.settled()]);
    },
    async stop() {
      await bus?.settled();
      await opened.stop();
      await postgres.stop();
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
