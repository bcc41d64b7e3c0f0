/**
 * Starts a service: settings, log, parts, status port. A wrong setting is printed and ends the start with code 2.
 * lifecycle.ts handles signals, errors and the order of closing.
 */
import type { Check } from './health.ts';
import { type Lifecycle, runProcess } from './lifecycle.ts';
import { type Logger, openLog } from './log.ts';
import { measureChecks, measureProcess, openMetrics, type Registry } from './metrics.ts';
import { readSettings, type SettingName, type Settings } from './settings.ts';
import { openStatus } from './status.ts';

const LEVEL = 'info';

/** A part of a service: how to close it, its checks for `/ready`, its metrics. */
export interface Part {
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
      ...{ ...life, settings, log },
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
