import { readFileSync } from 'node:fs';
import { Gauge, openMetrics, type Registry } from './metrics.ts';

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
