import type { Reporter, TestModule } from 'vitest/node';
import { natsAvailable } from './nats.ts';
import { faketimeAvailable } from './shifted-postgres.ts';

/** Lists the skipped suites at the end of a run. */
export default class SkippedTests implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const skipped = modules.flatMap((module) => [...module.children.allTests('skipped')]);
    const inContainers = modules.every(({ project }) => project.name === 'containers');
    const lines = [
      ...(inContainers || natsAvailable()
        ? []
        : ['NATS JetStream: no nats-server on the PATH and no NATS_URL']),
      ...(faketimeAvailable() ? [] : ['Clock differences: no libfaketime']),
      ...(skipped.length > 0 ? [`${skipped.length} tests were skipped for that`] : []),
    ];
    if (lines.length === 0) return;
    const frame = '='.repeat(78);
    process.stdout.write(`\n${frame}\nSKIPPED in this run:\n  ${lines.join('\n  ')}\n${frame}\n`);
  }
}
