import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programPath } from '@reelbook/runtime/settings';
import { natsAvailable, startNats, type TestNats } from '@reelbook/testing/nats';
import { TEST_CONSOLE_ORIGIN, TEST_ORIGIN } from '@reelbook/testing/wallets';
import { LAG } from './lag.ts';
import { type Service, startService } from './service.ts';

const SECRET_BYTES = 32;
/** Nothing listens there: a NATS_URL that is never reached. */
export const NOWHERE = 'nats://127.0.0.1:1';

/** Services on one database and one NATS, with keys of their own and their logs in a folder. */
export interface Services {
  /** Null where this machine has none: then Reelbook runs without, which it must bear. */
  readonly natsUrl: string | null;
  readonly nats: TestNats | null;
  readonly folder: string;
  /** Of every service. */
  readonly environment: Readonly<Record<string, string>> & { readonly SEED_KEY: string };
  readonly services: readonly Service[];
  /** Starts `main` of `startService` under that name. The settings given replace those of all. */
  start(name: string, main: string, extra?: Readonly<Record<string, string>>): Service;
  /** The service of that name. */
  named(name: string): Service;
  /** All that it logged. */
  logOf(name: string): string;
  /** Ends the services and NATS. */
  stop(): Promise<void>;
}

export const createFolder = () => mkdtempSync(join(tmpdir(), `reelbook-processes-${process.pid}-`));

/** Nothing runs yet but NATS, unless the settings name one. */
export async function openServices(
  databaseUrl: string,
  settings: Readonly<Record<string, string>>,
  folder = createFolder(),
): Promise<Services> {
  const nats = !settings.NATS_URL && natsAvailable() ? await startNats() : null;
  const secret = () => randomBytes(SECRET_BYTES).toString('hex');
  const environment = {
    PATH: programPath().join(':'),
    DATABASE_URL: databaseUrl,
    NATS_URL: nats?.url ?? NOWHERE,
    SEED_KEY: secret(),
    SESSION_KEY: secret(),
    RECEIPT_KEY: secret(),
    TEST_LAG: LAG.order,
    PUBLIC_ORIGIN: TEST_ORIGIN,
    CONSOLE_ORIGIN: TEST_CONSOLE_ORIGIN,
    ...settings,
  };
  const services: Service[] = [];
  return {
    nats,
    natsUrl: nats?.url ?? null,
    folder,
    environment,
    services,
    start(name, main, extra = {}) {
      const own = { ...environment, ...extra };
      const service = startService({ name, main, environment: own, logFolder: folder });
      services.push(service);
      return service;
    },
    named(name) {
      const found = services.find((service) => service.name === name);
      if (!found) throw new Error(`no service ${name} was started`);
      return found;
    },
    logOf: (name) => readFileSync(join(folder, `${name}.log`), 'utf8'),
    async stop() {
      await Promise.all(services.map((service) => service.stop()));
      await nats?.stop();
    },
  };
}
