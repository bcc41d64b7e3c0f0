/** The table of metrics, from what the services register. `npm run generate` writes docs/metrics.md. */
import { openAdminMetrics } from '@reelbook/admin/metrics';
import { measureAuditor } from '@reelbook/auditor/metrics';
import { measureCashier } from '@reelbook/cashier/metrics';
import { openGatewayMetrics } from '@reelbook/gateway/metrics';
import { measureSolvency } from '@reelbook/payments/metrics';
import { measureProjector } from '@reelbook/projector/metrics';
import { measurePublisher } from '@reelbook/publisher/metrics';
import { measureClocks, type Registry } from '@reelbook/runtime/metrics';
import { openBuildMetrics } from '@reelbook/runtime/version';
import pg from 'pg';

const HEAD = `# Metrics

Every process serves \`/live\` (it answers), \`/ready\` (it can do its work, and if not, why) and \`/metrics\` (Prometheus) on its status port,
\`STATUS_HOST:STATUS_PORT\`: the loopback by itself, the network between the services in the compose file, never the port of players. Each
process that stands alone adds the usual figures of Node (\`process_*\`, \`nodejs_*\`). Which of several is the leader: \`reelbook_*_leader\`
is 1 in one process at a time.

Written by \`npm run generate\` from what the services register; a test holds them together.

| service | metric | kind | labels | what it says |
| --- | --- | --- | --- | --- |
`;

interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly labelNames: readonly string[];
}

/** All of docs/metrics.md. Nothing is measured for it. */
export function metricsPage(): string {
  const never = () => {
    throw new Error('nothing is measured here');
  };
  const registries: readonly (readonly [string, Registry])[] = [
    ['all', openBuildMetrics(null)],
    ['gateway', openGatewayMetrics(new pg.Pool(), { dropped: never }).registry],
    ['admin', openAdminMetrics().registry],
    ['publisher', measurePublisher(never)],
    ['projector', measureProjector(never, { dropped: never })],
    ['cashier', cashierRegistry(never)],
    ['auditor', measureAuditor(never)],
  ];
  return HEAD + registries.flatMap(([service, registry]) => rowsOf(service, registry)).join('');
}

/** As its process has it: with solvency, which in the standalone the gateway tells. */
function cashierRegistry(never: () => never): Registry {
  const pool = new pg.Pool();
  const registry = measureCashier({ status: never, pool, chain: { treasury: never } });
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
