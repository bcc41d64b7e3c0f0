/** What tests do with a running standalone, shared or their own. */
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createLinks, linkUrl } from '@reelbook/admin/links';
import { openPool, type Role } from '@reelbook/event-store/db';
import { startExecutor } from '@reelbook/event-store/execute';
import { openSeedVault, type SeedVault } from '@reelbook/event-store/seed-vault';
import { findSeedKey, findSessionKey, seedKeyIdOf } from '@reelbook/runtime/data-folder';
import { REPOSITORY } from '@reelbook/runtime/repository';
import { untilCaughtUp } from '@reelbook/testing/caught-up';
import type pg from 'pg';
import type { Place } from './standalone.ts';

export interface Site extends Place {
  /** A new one-time link into the operators' console, as `operator link` prints it. */
  link(operator: 'first' | 'second'): Promise<string>;
  /** Resolves when every read model is at the current head of the ledger. */
  caughtUp(): Promise<void>;
  /** Connects to its database; the role `owner` is a superuser. */
  withPool<Result>(
    use: (pool: pg.Pool) => Promise<Result>,
    o?: { readonly role?: Role; readonly max?: number },
  ): Promise<Result>;
  /** Opens its sealed seeds. */
  openVault(pool: pg.Pool): SeedVault;
  /** Runs one of the project's commands on the ledger of this site. */
  run(script: string, ...args: string[]): Promise<{ code: number | null; output: string }>;
}

export function openSite(place: Place): Site {
  const { consoleUrl, dataDir } = place;
  const withPool: Site['withPool'] = async (use, { role = 'app', max = 1 } = {}) => {
    const url = (await readFile(join(dataDir, 'database-url'), 'utf8')).trim();
    const pool = openPool({ url, role, max, name: 'e2e', noStatementTimeout: true });
    return use(pool).finally(() => pool.end());
  };
  return {
    ...place,
    withPool,
    openVault(pool) {
      const key = findSeedKey({ seedKey: null, dataDir });
      if (!key) throw new Error('a standalone keeps its seed key');
      return openSeedVault({ pool, key, keyId: seedKeyIdOf({ seedKeyId: null }, key) });
    },
    link: (operator) =>
      withPool(async (pool) => {
        const key = findSessionKey({ sessionKey: null, dataDir });
        if (!key) throw new Error('a standalone keeps its session key');
        const executor = startExecutor({ pool });
        const links = await createLinks(executor, key).finally(() => executor.close());
        return linkUrl(consoleUrl, links[operator === 'first' ? 0 : 1] ?? '');
      }),
    caughtUp: () => withPool(async (pool) => void (await untilCaughtUp(pool))),
    run: (script, ...args) => run(place.env, [script, ...args]),
  };
}

function run(env: Place['env'], words: readonly string[]) {
  const child = spawn('npm', ['run', '--silent', 'reelbook', '--', ...words], {
    cwd: REPOSITORY,
    env: { ...process.env, ...env },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (bytes) => {
      output += String(bytes);
    });
  }
  return new Promise<{ code: number | null; output: string }>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve({ code, output }));
  });
}
