import { logClockFaults, openClock } from '@reelbook/event-store/clock';
import { startExecutor } from '@reelbook/event-store/execute';
import { games as allGames, distinctGames } from '@reelbook/games/rules';
import { openOrigin } from '@reelbook/http/limits';
import { startApprovals } from '@reelbook/payments/approvals';
import { type Check, workerCheck } from '@reelbook/runtime/health';
import type { Registry } from '@reelbook/runtime/metrics';
import { openActionBudget } from './action-budget.ts';
import { approvalsOf } from './actions/proposals.ts';
import { buildApp } from './app.ts';
import { type Admin, type AdminDeps, openAdminMetrics } from './context.ts';
import { openOperatorSignIns, openOperatorTokens } from './guard.ts';
import { openJobRunner } from './jobs/job-runner.ts';
import { noLinks } from './links.ts';

/**
 * Serves the console and the operators' API. Resolves when it listens. `close` completes running requests; the caller
 * closes the pool and the bus. `registry` has its metrics, which this server does not expose.
 */
export async function startAdmin(deps: AdminDeps): Promise<{
  url: string;
  registry: Registry;
  checks: readonly Check[];
  close(): Promise<void>;
}> {
  const { settings, log, pool, bus } = deps;
  const executor = startExecutor({
    pool,
    onAppended: () => bus.nudge(),
    onClockFault: logClockFaults(log),
    fromEvents: true,
  });
  const clock = openClock(pool);
  const runner = openJobRunner({
    pool,
    onFault: (err, { job, kind }) => log.error({ err, job, kind }, 'job failed'),
  });
  const admin: Admin = {
    ...deps,
    games: distinctGames(deps.games ?? allGames),
    links: deps.links ?? noLinks,
    origin: openOrigin({ origin: settings.consoleOrigin, port: settings.port }),
    executor,
    counted: openActionBudget(clock),
    clock,
    tokens: openOperatorTokens(settings.sessionKey),
    signIns: openOperatorSignIns(),
    metrics: openAdminMetrics(pool),
    vault: deps.vault ?? null,
    signKey: deps.signKey ?? null,
    runner,
  };
  const approvals = startApprovals({ ...approvalsOf(admin), log });
  // Optional: only what a crash left waits for it.
  const check = { ...workerCheck('approvals', approvals.status), optional: true, isPrivate: true };
  const app = await buildApp(admin, check);
  const close = async () => {
    await approvals.close();
    await runner.close();
    await app.close();
    await executor.close();
  };
  try {
    const url = await app.listen({ host: settings.host, port: settings.port });
    admin.origin.listensOn(url);
    log.info({ url, origin: admin.origin.read() }, 'console listening');
    const { registry } = admin.metrics;
    return { url, registry, checks: [check], close };
  } catch (error) {
    await close();
    throw error;
  }
}
