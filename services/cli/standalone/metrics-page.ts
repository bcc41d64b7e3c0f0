/** The table of the metrics that the services register. `npm run generate` writes docs/metrics.md. */
import { openAdminMetrics } from '@reelbook/admin/metrics';
import { measureAuditor } from '@reelbook/auditor/metrics';
import { measureCashier } from '@reelbook/cashier/metrics';
import { openGatewayMetrics } from '@reelbook/gateway/metrics';
import { measureSolvency } from '@reelbook/payments/metrics';
import { measureProjector } from '@reelbook/projector/metrics';
import { measurePublisher } from '@reelbook/publisher/metrics';
import {
  measureChecks,
  measureClocks,
  openMetrics,
  type Registry,
} from '@reelbook/runtime/metrics';
import { openBuildMetrics } from '@reelbook/runtime/version';
import pg from 'pg';

const HEAD = `# Metrics

**For monitoring a site with Prometheus.** Every process serves \`/live\` (the process responds), \`/ready\` (it can work; otherwise the reason) and
\`/metrics\` on its status port, \`STATUS_HOST:STATUS_PORT\`: by default on the loopback address, in the compose file on the internal network, never
on the players' port. Each process also exports the default metrics of Node (\`process_*\`, \`nodejs_*\`). Each \`reelbook_*_leader\` is 1 in one
process at a time; \`reelbook_projection_leader\` is 1 in one process for each projection.

Alert rules with their thresholds: [alerts.yml](../docker/prometheus/alerts.yml). \`npm run generate\` writes this page from the metrics that the services register.

| service | metric | type | labels | description |
| --- | --- | --- | --- | --- |
`;

interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly labelNames: readonly string[];
}

/** The text of docs/metrics.md. Reads no values. */
export function metricsPage(): string {
  const never = () => {
    throw new Error('no metric is read here');
  };
  const all = openMetrics('all');
  measureChecks(all, []);
  const registries: readonly (readonly [string, Registry])[] = [
    ['all', openBuildMetrics(null)],
    ['all', all],
    ['gateway', openGatewayMetrics(new pg.Pool(), { dropped: never }).registry],
    ['admin', openAdminMetrics(new pg.Pool()).registry],
    ['publisher', measurePublisher(never)],
    ['projector', measureProjector(never, { dropped: never })],
    ['cashier', cashierRegistry(never)],
    ['auditor', measureAuditor(never)],
  ];
  return HEAD + registries.flatMap(([service, registry]) => rowsOf(service, registry)).join('');
}

/** With solvency, which the gateway exposes in the standalone. */
function cashierRegistry(never: () => never): Registry {
  const pool = new pg.Pool();
  const registry = measureCashier({
    status: never,
    mismatch: never,
    figures: never,
    pool,
    chain: { treasury: never },
  });
  measureSolvency(registry, pool);
  measureClocks(registry, never);
  return registry;
}

function rowsOf(service: string, registry: Registry): readonly string[] {
  const metrics = registry.getMetricsAsArray() as unknown as readonly Metric[];
  return metrics
    .filter(({ name }) => name.startsWith('reelbook_'))
    .map(({ name, help, type, labelNames }) => {
      return `| ${service} | \`${name}\` | ${type} | ${labelNames.join(', ')} | ${help} |\n`;
    });
}
