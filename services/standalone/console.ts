import { startAdmin } from '@reelbook/admin/admin';
import type { AdminDeps } from '@reelbook/admin/context';
import { openLocalLinks } from '@reelbook/admin/links';
import type { Bus } from '@reelbook/bus/bus';
import type { openPool } from '@reelbook/event-store/db';
import { startSpine } from '@reelbook/event-store/execute';
import { openSeedVault } from '@reelbook/event-store/seed-vault';
import type { Lifecycle } from '@reelbook/runtime/lifecycle';
import type { Logger } from '@reelbook/runtime/log';
import type { Registry } from '@reelbook/runtime/metrics';
import { portTaken } from './port.ts';

/** What the start tells of the console: where it is, and the one-time links into it. */
export interface OwnConsole {
  readonly url: string;
  /** Whole addresses; none with a real chain, where operators are added by `npm run reelbook -- operator`. */
  readonly links: readonly string[];
  readonly registry: Registry;
}

/** The operators' console, with two one-time links on the local chain. */
export async function startOwnConsole(
  life: Lifecycle,
  o: {
    readonly pool: ReturnType<typeof openPool>;
    readonly bus: Bus;
    readonly log: Logger;
    readonly host: string;
    readonly port: number;
    readonly sessionKey: Buffer;
    readonly localChain: boolean;
    readonly webRoot: string | null;
    /** Where long work opens connections of its own. */
    readonly databaseUrl: string;
    /** What audits compare the ledger with. */
    readonly chain: AdminDeps['work']['chain'];
    /** What opens sealed seeds. */
    readonly seedKey: Buffer;
    readonly seedKeyId: string;
    /** What signs the manifests of exports. */
    readonly receiptKey: Buffer;
  },
): Promise<OwnConsole> {
  const { pool, bus, log, databaseUrl, chain, seedKey, seedKeyId, receiptKey, ...settings } = o;
  const { host, port, sessionKey, localChain } = o;
  const spine = startSpine({ pool, onAppended: () => bus.nudge() });
  const local = localChain ? await openLocalLinks({ spine, sessionKey, localChain }) : null;
  await spine.close();
  const admin = await startAdmin({
    ...{ pool, bus, log, settings, work: { databaseUrl, chain } },
    vault: openSeedVault({ pool, key: seedKey, keyId: seedKeyId }),
    signKey: receiptKey,
    ...(local ? { links: local.links } : {}),
  }).catch((error: unknown) => {
    throw portTaken(error, { host, port, name: 'ADMIN_PORT' });
  });
  life.onClose('console', admin.close);
  // Behind the hash: it never reaches a server's log, nor another site as a referrer.
  const links = local?.texts.map((text) => `${admin.url}/#link=${text}`) ?? [];
  return { url: admin.url, links, registry: admin.registry };
}
