import { readFileSync } from 'node:fs';
import { Gauge, openMetrics, type Registry } from './metrics.ts';

const PACKAGE = new URL('../../package.json', import.meta.url);

/** The version of this Reelbook, as its release is called. */
export const VERSION = (JSON.parse(readFileSync(PACKAGE, 'utf8')) as { version: string }).version;

/** What runs here, for people and dashboards; `commit` is what the image was built from, null outside of one. */
export function openBuildMetrics(commit: string | null): Registry {
  const registry = openMetrics('build');
  const gauge = new Gauge({
    name: 'reelbook_build_info',
    help: 'Always 1; the labels say what runs',
    labelNames: ['version', 'commit', 'node'],
    registers: [registry],
  });
  gauge.set({ version: VERSION, commit: commit ?? 'unknown', node: process.version }, 1);
  return registry;
}
