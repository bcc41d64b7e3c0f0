import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { startAdmin } from '@reelbook/admin/admin';
import type { AdminDeps } from '@reelbook/admin/context';
import { addLocalOperators, createLinks, linkUrl, openLinks } from '@reelbook/admin/links';
import type { Bus } from '@reelbook/event-store/bus/bus';
import type { openPool } from '@reelbook/event-store/db';
import { startExecutor } from '@reelbook/event-store/execute';
import { openSeedVault } from '@reelbook/event-store/seed-vault';
import type { GatewaySettings } from '@reelbook/gateway/context';
import { CONSOLE_URL_FILE } from '@reelbook/runtime/data-folder';
import { StartError } from '@reelbook/runtime/lifecycle';
import { codeOf } from '@reelbook/runtime/processes';
import type { Service } from '@reelbook/runtime/service';

/** `name` is the setting of the port. */
interface WantedPort {
  readonly host: string;
  readonly port: number;
  readonly name: 'PORT' | 'ADMIN_PORT';
}

/** Fails the start before anything is opened. Throws StartError. */
export async function assertPortFree(wanted: WantedPort): Promise<void> {
  const { host, port } = wanted;
  if (port === 0) return;
  await new Promise<void>((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, host, () => server.close(() => resolve()));
  }).catch((error: unknown) => {
    throw portTaken(error, wanted);
  });
}

/** The StartError for a failed listen; other errors unchanged. */
export function portTaken(error: unknown, { host, port, name }: WantedPort): unknown {
  switch (codeOf(error)) {
    case 'EADDRINUSE':
      return new StartError(
        `Port ${port} on ${host} is in use by another program.\n` +
          `Stop that program, or choose another port: ${name}=${port + 1} npm start`,
      );
    case 'EACCES':
      return new StartError(
        `This user may not open port ${port}: ports below 1024 require privileges.\n` +
          `Choose another port: ${name}=8080 npm start`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new StartError(`HOST=${host} is not an address of this machine.`);
    default:
      return error;
  }
}

/** The console's address and its one-time links, for the banner. */
export interface OwnConsole {
  readonly url: string;
  /** Full URLs; empty with a real chain, where `npm run reelbook -- operator` adds operators. */
  readonly links: readonly string[];
}

/** The operators' console, with two one-time links on the local chain. */
export async function startOwnConsole(
  service: Service,
  o: AdminDeps['settings'] &
    Pick<GatewaySettings, 'seedKey' | 'seedKeyId' | 'receiptKey'> & {
      readonly pool: ReturnType<typeof openPool>;
      readonly bus: Bus;
      readonly dataDir: string;
      /** For jobs, which open their own connections. */
      readonly databaseUrl: string;
      /** For audits. */
      readonly chain: AdminDeps['work']['chain'];
    },
): Promise<OwnConsole> {
  const { pool, bus, databaseUrl, chain, seedKey, seedKeyId, receiptKey, dataDir, ...settings } = o;
  const { host, port, sessionKey, localChain } = o;
  const executor = startExecutor({ pool, onAppended: () => bus.nudge() });
  if (localChain) await addLocalOperators(executor, sessionKey);
  const texts = localChain ? await createLinks(executor, sessionKey) : [];
  await executor.close();
  const admin = await startAdmin({
    pool,
    bus,
    log: service.log,
    settings,
    work: { databaseUrl, chain },
    vault: openSeedVault({ pool, key: seedKey, keyId: seedKeyId }),
    signKey: receiptKey,
    ...(localChain ? { links: openLinks(sessionKey) } : {}),
  }).catch((error: unknown) => {
    throw portTaken(error, { host, port, name: 'ADMIN_PORT' });
  });
  service.add('console', admin);
  writeFileSync(join(dataDir, CONSOLE_URL_FILE), admin.url, { mode: 0o600 });
  return { url: admin.url, links: texts.map((text) => linkUrl(admin.url, text)) };
}
