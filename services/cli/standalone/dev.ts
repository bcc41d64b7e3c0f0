/** `npm run dev`: both apps with hot reload, in front of the site of `npm start`, which is started unless it runs. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { API_BASE, CHAIN_PATH, SOCKET_PATH } from '@reelbook/contract/route';
import { adminPortOf } from '@reelbook/runtime/admin-settings';
import { type Lifecycle, runProcess, StartError } from '@reelbook/runtime/lifecycle';
import { openLog } from '@reelbook/runtime/log';
import { REPOSITORY, RUN } from '@reelbook/runtime/repository';
import { readSettings } from '@reelbook/runtime/settings';

/** Of vite; the next free one where it is taken. */
const PLAYER_PORT = 5173;
const ADMIN_PORT = 5174;
const RUNNING = 'Reelbook is running.';
const HEALTH_TIMEOUT_MS = 5_000;

await runProcess(openLog({ name: 'dev', level: 'warn' }), async (life) => {
  const settings = readSettings();
  const { port } = settings;
  const site = `http://127.0.0.1:${port}`;
  const admin = `http://127.0.0.1:${adminPortOf(settings)}`;
  const player = await serveApp('web-player', PLAYER_PORT, site, life);
  const consoleUrl = await serveApp('web-admin', ADMIN_PORT, admin, life);
  if (!(await isRunning(site))) {
    // A session belongs to an origin: the one-time links are opened where the console is edited.
    await startSite(life, (text) => text.replaceAll(`${admin}/#`, `${consoleUrl}/#`));
  }
  process.stdout.write(`  With hot reload, on the data of ${site}:

    Play        ${player}      web-player/src
    Console     ${consoleUrl}      web-admin/src

  Ctrl-C stops it.

`);
});

/** @returns the address of the app, whose calls go to `target`. */
async function serveApp(
  app: 'web-player' | 'web-admin',
  port: number,
  target: string,
  life: Lifecycle,
): Promise<string> {
  const root = join(REPOSITORY, app);
  const { createServer } = await import('vite');
  const server = await createServer({
    root,
    configFile: join(root, 'vite.config.ts'),
    configLoader: 'runner',
    logLevel: 'warn',
    clearScreen: false,
    server: {
      host: '127.0.0.1',
      port,
      proxy: {
        [API_BASE]: target,
        '/health': target,
        [CHAIN_PATH]: target,
        [SOCKET_PATH]: { target, ws: true },
      },
    },
  });
  life.onClose(app, () => server.close());
  await server.listen();
  const [url] = server.resolvedUrls?.local ?? [];
  if (url === undefined) throw new StartError(`The server of ${app} has no address.`);
  return url.replace(/\/$/, '');
}

async function isRunning(site: string): Promise<boolean> {
  const signal = AbortSignal.timeout(HEALTH_TIMEOUT_MS);
  return fetch(`${site}/health`, { signal }).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Resolves when it serves. It ends with this process, and this process with it. */
async function startSite(life: Lifecycle, shown: (text: string) => string): Promise<void> {
  const child = spawn(process.execPath, [RUN, 'services/cli/main.ts', 'start'], {
    cwd: REPOSITORY,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  life.onClose('site', async () => {
    child.kill('SIGINT');
    await ended;
  });
  const serving = new Promise<void>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      process.stdout.write(shown(text));
      if (text.includes(RUNNING)) resolve();
    });
  });
  const gone = ended.then(() => {
    throw new StartError('The site ended; the reason is printed above.');
  });
  await Promise.race([serving, gone]);
  gone.catch((error: unknown) => {
    if (!life.signal.aborted) life.fail(error);
  });
}
