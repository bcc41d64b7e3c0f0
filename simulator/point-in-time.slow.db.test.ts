/** A replicated Postgres is restored to a point in time with pgBackRest, by the commands of docs/operations.md. */
import { execFile } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openPool } from '@reelbook/event-store/db';
import { readHead } from '@reelbook/event-store/read-log';
import { chooseAccount } from '@reelbook/runtime/postgres/programs';
import { createHistory, walletOf } from '@reelbook/testing/history';
import { read } from '@reelbook/testing/repository';
import { WAIT } from '@reelbook/testing/wait';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type ClusterNode, missingPrograms, startCluster } from './stages/cluster.ts';

const TIMEOUT_MS = 300_000;
const BIN = '/usr/lib/postgresql/15/bin';

/** The code block of the page that has these words. */
const documented = (words: string) =>
  read('docs/operations.md')
    .split('```')
    .find((block) => /^(bash|ini)\n/.test(block) && block.includes(words))
    ?.replace(/^\w+\n/, '') ?? '';

const missing = [
  ...missingPrograms(),
  ...(existsSync('/usr/bin/pgbackrest') ? [] : ['pgbackrest']),
];
const skipped = missing.length > 0 ? ` (skipped, not installed: ${missing.join(', ')})` : '';

describe.runIf(missing.length === 0)(`a cluster${skipped}`, () => {
  test(
    'is restored to a point in time, and its standbys follow',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'reelbook-moment-'));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      writeFileSync(join(folder, 'pgbackrest.conf'), read('docker/pgbackrest.conf'));
      /** What differs from docker/pgbackrest.conf here. */
      const environment = ({ folder: own, url }: Pick<ClusterNode, 'folder' | 'url'>) => ({
        PGBACKREST_CONFIG: join(folder, 'pgbackrest.conf'),
        PGBACKREST_REPO1_PATH: join(folder, 'backups'),
        PGBACKREST_LOCK_PATH: join(folder, 'backups'),
        PGBACKREST_LOG_LEVEL_FILE: 'off',
        PGBACKREST_PG1_PATH: join(own, 'data'),
        PGBACKREST_PG1_SOCKET_PATH: own,
        PGBACKREST_PG1_PORT: new URL(url).port,
      });
      const account = chooseAccount(join(folder, 'none'));
      // Not synchronously: the nodes are connected by this process.
      const run = async (node: ClusterNode, commands: string, more = {}): Promise<string> => {
        const script = commands.replaceAll('/backups', join(folder, 'backups'));
        const { stdout } = await promisify(execFile)('sh', ['-euc', script], {
          cwd: node.folder,
          timeout: WAIT.timeout,
          ...(account ? { uid: account.uid, gid: account.gid } : {}),
          env: {
            PATH: `${BIN}:${process.env.PATH}`,
            PGHOST: node.folder,
            PGPORT: new URL(node.url).port,
            ...environment(node),
            ...more,
          },
        });
        return stdout;
      };
      mkdirSync(join(folder, 'backups'));
      if (account) chownSync(join(folder, 'backups'), account.uid, account.gid);
      const cluster = await startCluster(folder, {
        settings: documented('archive_command'),
        environment,
      });
      onTestFinished(() => cluster.stop(), TIMEOUT_MS);
      await cluster.untilComplete();
      // A loaded machine may lose its leader at any time: an archive is made by the one that leads.
      const onLeader = (commands: string) =>
        vi.waitFor(async () => {
          const node = await cluster.untilLed();
          return { node, output: await run(node, commands) };
        }, WAIT);
      // Only here: its data has the ports and folders of that node.
      const { node: first } = await onLeader(documented('stanza-create'));
      const history = createHistory();
      const anna = walletOf(1);
      history.register(anna, 100_000n);
      const play = async () => {
        history.bet(anna, 100n, 0n);
        const pool = openPool({ url: cluster.url, role: 'app', max: 1, name: 'moment' });
        const head = await vi.waitFor(async () => {
          await history.appendTo(pool);
          return readHead(pool);
        }, WAIT);
        await pool.end();
        return head;
      };
      const now = async () =>
        (await onLeader('psql --no-align --tuples-only --command="select now()" postgres')).output;
      // A backup serves moments in later seconds than its end.
      const second = async () => (await now()).slice(0, 19);
      const ended = await second();
      await vi.waitFor(async () => expect(await second()).not.toBe(ended), WAIT);
      const kept = await play();
      const time = (await now()).trim();
      expect(await play()).not.toEqual(kept);
      // As a server does that stops in order: what is lost at once was not archived.
      await onLeader('pgbackrest --stanza=reelbook check');

      await Promise.all(cluster.nodes.map((node) => node.lose()));
      const data = join(first.folder, 'data');
      // Killed servers leave it, and their PIDs may be in use: a restart of the machine removes it.
      rmSync(join(first.folder, `.s.PGSQL.${new URL(first.url).port}.lock`), { force: true });
      rmSync(data, { recursive: true });
      await run(first, `mkdir --mode=700 ${data}`);
      await run(first, documented('--target-action'), { PGDATA: data, TIME: time });
      await run(first, documented('--mode=fast'), { PGDATA: data });
      // Once the lock of the lost leader has ended.
      const answers = 'reelbook\nYes I am aware\n';
      await vi.waitFor(() => first.control(['remove', 'reelbook'], answers), WAIT);
      first.start();
      expect((await cluster.untilLed()).name).toBe(first.name);
      for (const node of cluster.nodes.filter(({ name }) => name !== first.name)) {
        rmSync(join(node.folder, 'data'), { recursive: true });
        node.start();
      }
      await cluster.untilComplete();
      const pool = openPool({ url: cluster.url, role: 'app', max: 1, name: 'moment' });
      expect(await readHead(pool)).toEqual(kept);
      await pool.end();
      for (const node of cluster.nodes) {
        const own = openPool({ url: node.url, role: 'app', max: 1, name: 'moment' });
        await vi.waitFor(async () => expect(await readHead(own)).toEqual(kept), WAIT);
        await own.end();
      }
    },
    TIMEOUT_MS,
  );
});
