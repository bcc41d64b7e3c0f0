import { type AdminRouteName, adminRoutes } from '@reelbook/contract/admin/routes';
import { type FailureCode, refusals } from '@reelbook/contract/refusals';
import { ADMIN_BASE, DRY_RUN_PATH, FINGERPRINT_HEADER, type Route } from '@reelbook/contract/route';
import { busCheck } from '@reelbook/event-store/bus/bus';
import { clockChecks } from '@reelbook/event-store/clock';
import { integrityCheck } from '@reelbook/event-store/integrity';
import { ledgerCheck } from '@reelbook/event-store/read-log';
import { openDocs } from '@reelbook/http/docs';
import { openHealthRoutes } from '@reelbook/http/health-routes';
import { clientAddress } from '@reelbook/http/limits';
import { servePages } from '@reelbook/http/pages';
import {
  addFileRoute,
  addRoute,
  idempotencyKeyOf,
  Refused,
  type Reply,
} from '@reelbook/http/routes';
import { openServer } from '@reelbook/http/server';
import { answer, standbyChecks } from '@reelbook/http/standby';
import { reject } from '@reelbook/ledger/rejections';
import { isReason, REASON_MAX_LENGTH } from '@reelbook/ledger/text';
import type { Check } from '@reelbook/runtime/health';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type pg from 'pg';
import type { Admin, AdminRequest } from './context.ts';
import { actAsPreviewed, dryRun, isAction } from './dry-run.ts';
import { type Guard, openGuard } from './guard.ts';
import { handlersOf } from './handlers.ts';
import { siteChecks } from './projection-actions.ts';
import { sendExport, withRefusals } from './reads/explorer.ts';
import { openInspectionCaches } from './reads/point-in-time.ts';

/** The console may connect only to its own origin. A worker verifies proofs. */
const POLICY = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "worker-src 'self' blob:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Creates the HTTP server, which does not listen yet; `inject` works. Close it with `close()`. */
export async function buildApp(admin: Admin, approvals: Check): Promise<FastifyInstance> {
  const { log, metrics, settings, pool, bus, standby } = admin;
  const app = openServer({
    log,
    trustProxy: settings.trustProxy,
    onCompleted: ({ route, status, ms }) => metrics.requests.observe({ route, status }, ms / 1_000),
  });
  const guard = openGuard(app, admin);
  await openDocs(app, {
    title: "Reelbook operators' API",
    description:
      'Every response is an envelope { code, message, data }; code equals the HTTP status. ' +
      '401 always means a dead session. Amounts are exact, in minor units.',
    base: ADMIN_BASE,
    errors: Object.keys(refusals) as FailureCode[],
    limit: guard.page,
  });
  await app.register(async (api) => openRoutes(api, admin, guard), { prefix: ADMIN_BASE });
  app.get('/live', async () => ({ status: 'ok' }));
  // The bus is optional: everything is read from the ledger.
  const checks = [
    ledgerCheck(pool),
    ...clockChecks(pool),
    integrityCheck(pool),
    { ...busCheck(bus), optional: true },
    ...siteChecks(pool),
    approvals,
    ...standbyChecks(standby),
  ];
  openHealthRoutes(app, { pool, checks, localChain: settings.localChain });
  await servePages(app, {
    root: settings.webRoot,
    policyOf: () => POLICY,
    routes: Object.values(adminRoutes).map(({ method, path }) => ({
      method,
      path: ADMIN_BASE + path,
    })),
    limit: guard.page,
  });
  return app;
}

/**
 * Lists and reports that a standby may answer: events and read models and nothing else. Not what an operator decides on: queues,
 * proposals, findings, switches, the configuration, roles, current states.
 */
const STANDBY_LISTS: ReadonlySet<AdminRouteName> = new Set([
  ...(['explorer', 'countMatches', 'eventGraph', 'explainBalance', 'accountMovements'] as const),
  ...(['trialDiff', 'players', 'statement', 'configurationHistory'] as const),
  ...(['revenue', 'returns', 'largeWins'] as const),
]);

type Handle = (request: AdminRequest<AdminRouteName>) => Promise<Reply<unknown>>;

function openRoutes(app: FastifyInstance, admin: Admin, guard: Guard): void {
  const caches = openInspectionCaches(admin);
  for (const name of Object.keys(adminRoutes) as AdminRouteName[]) {
    const route: Route = adminRoutes[name];
    if (name === 'exportEvents') {
      addFileRoute(app, name, adminRoutes[name], {
        admit: (request) => guard.admit(request, name),
        send: (request, reply) =>
          sendExport(admin, { request, reply, check: () => guard.check(request, name) }),
      });
      continue;
    }
    const guarded = {
      admit: (request: FastifyRequest) => guard.admit(request, name),
      check: (request: FastifyRequest) => guard.check(request, name),
    };
    const adminOf = (request: FastifyRequest): Admin => {
      return { ...admin, executor: guard.executorOf(request, name) };
    };
    addRoute(app, name, route, {
      ...guarded,
      async handle(request) {
        const fingerprint = request.headers[FINGERPRINT_HEADER.toLowerCase()];
        const [own, last] = noting(adminOf(request));
        const call = requestOf(name, request);
        const isList = STANDBY_LISTS.has(name);
        const handle = (pool: pg.Pool) =>
          (handlersOf({ ...own, pool }, caches)[name] as Handle)(call);
        const act = () => {
          if (!isAction(name)) return withRefusals(() => answer(own, request, isList, handle));
          return typeof fingerprint === 'string'
            ? actAsPreviewed(own, fingerprint, call as AdminRequest<typeof name>)
            : handle(own.pool);
        };
        const reply = await act();
        const { position } = last;
        return position > 0 ? { data: { ...(reply.data as object), position }, position } : reply;
      },
    });
    if (!isAction(name)) continue;
    addRoute(
      app,
      `${name}DryRun`,
      { ...route, path: `${route.path}${DRY_RUN_PATH}` },
      { ...guarded, handle: (request) => dryRun(adminOf(request), requestOf(name, request)) },
    );
  }
}

/** With an executor that notes the position of the last event of its commands, which is part of the answer. */
function noting({ executor, ...admin }: Admin): [Admin, { readonly position: number }] {
  const last = { position: 0 };
  const execute: typeof executor.execute = async (execution) => {
    const executed = await executor.execute(execution);
    if (executed.kind === 'done') last.position = Math.max(last.position, executed.position);
    return executed;
  };
  return [{ ...admin, executor: { ...executor, execute } }, last];
}

function requestOf<Name extends AdminRouteName>(
  route: Name,
  request: FastifyRequest,
): AdminRequest<Name> {
  const { wallet: operator = '', role = 'viewer', session = null } = request.operator ?? {};
  assertReason(request.body);
  return {
    route,
    operator,
    role,
    session,
    address: clientAddress(request),
    correlation: request.id,
    body: request.body,
    query: request.query,
    params: request.params,
    idempotencyKey: idempotencyKeyOf(request),
  } as AdminRequest<Name>;
}

/** Validates the reason of every action, in one place. */
function assertReason(body: unknown): void {
  const reason = (body as { readonly reason?: unknown } | null | undefined)?.reason;
  if (typeof reason === 'string' && !isReason(reason)) {
    throw new Refused(reject('reason-invalid', { max: REASON_MAX_LENGTH }));
  }
}
