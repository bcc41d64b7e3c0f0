/**
 * The internal status port of a process: `/live` (the process responds), `/ready` (it can work; if not, the reason) and
 * `/metrics` (Prometheus).
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Check, checkHealth } from './health.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { Logger } from './log.ts';
import type { Registry } from './metrics.ts';
import { openBuildMetrics, VERSION } from './version.ts';

const REQUEST_TIMEOUT_MS = 10_000;
const CONNECTIONS_MAX = 50;
const NO_SNIFF = { 'x-content-type-options': 'nosniff' };

export interface StatusOptions {
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
