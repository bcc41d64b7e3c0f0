import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Check, checkHealth } from './health.ts';
import { type Lifecycle, runProcess } from './lifecycle.ts';
import { type Logger, openLog } from './log.ts';
import { Gauge, measureChecks, measureProcess, openMetrics, type Registry } from './metrics.ts';
import { readSettings, type SettingName, type Settings } from './settings.ts';

const PACKAGE = new URL('../../package.json', import.meta.url);

/** The version of this release. */
export const VERSION = (JSON.parse(readFileSync(PACKAGE, 'utf8')) as { version: string }).version;

/** The build as a metric; `commit` is null outside of an image. */
export function openBuildMetrics(commit: string | null): Registry {
  const registry = openMetrics('build');
  const gauge = new Gauge({
    name: 'reelbook_build_info',
    help: 'Always 1; the labels are version, commit and Node version',
    labelNames: ['version', 'commit', 'node'],
    registers: [registry],
  });
  gauge.set({ version: VERSION, commit: commit ?? 'unknown', node: process.version }, 1);
  return registry;
}

/**
 * The internal status port of a process: `/live` (the process responds), `/ready` (it can work; if not, the reason) and
 * `/metrics` (Prometheus).
 */

const REQUEST_TIMEOUT_MS = 10_000;
const CONNECTIONS_MAX = 50;
const NO_SNIFF = { 'x-content-type-options': 'nosniff' };

interface StatusOptions {
  readonly log: Logger;
  readonly settings: {
    readonly statusHost: string;
    readonly statusPort: number;
    readonly buildCommit: string | null;
  };
  readonly checks: readonly Check[];
  /** Metric names must be unique across registries. */
  readonly registries: readonly Registry[];
}

/** Opens the port and closes it with the process. @returns its URL. Throws when the port is taken. */
export async function openStatus(life: Lifecycle, options: StatusOptions): Promise<string> {
  const commit = options.settings.buildCommit;
  const o = { ...options, registries: [openBuildMetrics(commit), ...options.registries] };
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (request, response) => {
    answer(o, request.url ?? '', response).catch((error: unknown) => {
      o.log.warn({ err: error }, 'a status request failed');
      response.destroy();
    });
  });
  server.maxConnections = CONNECTIONS_MAX;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(o.settings.statusPort, o.settings.statusHost, resolve);
  });
  life.onClose('status', async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const url = `http://${o.settings.statusHost}:${(server.address() as AddressInfo).port}`;
  o.log.info({ url, version: VERSION, commit }, 'status port open');
  return url;
}

async function answer(o: StatusOptions, path: string, response: ServerResponse): Promise<void> {
  switch (path.split('?', 1)[0]) {
    case '/live':
      return respond(response, 200, { status: 'ok' });
    case '/ready': {
      const { ok, checks } = await checkHealth(o.checks);
      return respond(response, ok ? 200 : 503, { status: ok ? 'ok' : 'unavailable', checks });
    }
    case '/metrics': {
      // Without the database its figures are missing; `reelbook_check_failing` shows why.
      const texts = await Promise.all(
        o.registries.map((registry) => registry.metrics().catch(() => '')),
      );
      const type = o.registries[0]?.contentType ?? 'text/plain';
      response.writeHead(200, { 'content-type': type, ...NO_SNIFF }).end(texts.join('\n'));
      return;
    }
    default:
      return respond(response, 404, { status: 'not found; use /live, /ready or /metrics' });
  }
}

function respond(response: ServerResponse, status: number, body: object): void {
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store', ...NO_SNIFF };
  response.writeHead(status, headers).end(JSON.stringify(body));
}

/**
 * Starts a service: settings, log, parts, status port. A wrong setting is printed and ends the start with code 2.
 * lifecycle.ts handles signals, errors and the order of closing.
 */

const LEVEL = 'info';

/** A part of a service: how to close it, its checks for `/ready`, its metrics. */
interface Part {
  close?(): Promise<void> | void;
  readonly checks?: readonly Check[];
  readonly registry?: Registry;
}

export interface Service<Required extends SettingName = never> extends Lifecycle {
  readonly settings: Settings<Required>;
  readonly log: Logger;
  /** Adds a part that was just opened; parts close in the reverse order. */
  add(name: string, part: Part): void;
  /** Called with the URL of the status port when it is open. */
  onReady(act: (statusUrl: string) => void): void;
}

/** Resolves when the service has started: `start` has added its parts, and the status port is open. */
export function startService<const R extends SettingName = never>(o: {
  readonly name: string;
  /** The required settings. */
  readonly settings?: readonly R[];
  /** Log level if LOG_LEVEL is not set. */
  readonly level?: string;
  start(service: Service<R>): Promise<void>;
}): Promise<void> {
  const { name, level = LEVEL } = o;
  const log = openLog({ name, level });
  return runProcess(log, async (life) => {
    const settings = readSettings(o.settings);
    log.level = settings.logLevel ?? level;
    const own = openMetrics(name);
    measureProcess(own);
    const [checks, registries]: [Check[], Registry[]] = [[], [own]];
    measureChecks(own, checks);
    const ready: ((statusUrl: string) => void)[] = [];
    await o.start({
      ...life,
      settings,
      log,
      add(part, { close, checks: more = [], registry }) {
        if (close) life.onClose(part, close);
        checks.push(...more);
        if (registry) registries.push(registry);
      },
      onReady: (act) => void ready.push(act),
    });
    const statusUrl = await openStatus(life, { log, settings, checks, registries });
    for (const act of ready) act(statusUrl);
  });
}
