import { setTimeout as sleep } from 'node:timers/promises';
import { count } from '@reelbook/runtime/command';

const SAMPLE_EVERY_MS = 1_000;
const SAMPLE_TIMEOUT_MS = 10_000;
const MB = 1024 * 1024;
const HOUR_S = 3_600;

export interface Sample {
  readonly atS: number;
  readonly residentMb: number;
  readonly heapMb: number;
  readonly unsentBytes: number;
  readonly sockets: number;
  readonly lagP50Ms: number;
  readonly lagP99Ms: number;
  readonly lagMaxMs: number;
}

/** One gateway's metrics over the run. */
export interface Sampled {
  readonly samples: Sample[];
  /** Closed sockets by reason, at the last sample. */
  closed: Readonly<Record<string, number>>;
  missed: number;
}

/** Reads the metrics every second until `stop` aborts. */
export async function sampleMetrics(url: string, into: Sampled, stop: AbortSignal): Promise<void> {
  const begun = performance.now();
  while (!stop.aborted) {
    try {
      const response = await fetch(`${url}/metrics`, {
        signal: AbortSignal.timeout(SAMPLE_TIMEOUT_MS),
      });
      const text = await response.text();
      into.samples.push(readSample(text, (performance.now() - begun) / 1_000));
      into.closed = readClosed(text);
    } catch {
      into.missed++;
    }
    await sleep(SAMPLE_EVERY_MS, undefined, { signal: stop }).catch(() => {});
  }
}

function readSample(text: string, atS: number): Sample {
  const value = (name: string) => {
    const found = new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'm').exec(text);
    if (!found) throw new Error(`no metric ${name}`);
    return Number(found[1]);
  };
  return {
    atS,
    residentMb: value('process_resident_memory_bytes') / MB,
    heapMb: value('nodejs_heap_size_used_bytes') / MB,
    unsentBytes: value('reelbook_websocket_unsent_bytes'),
    sockets: value('reelbook_websocket_connections'),
    lagP50Ms: value('nodejs_eventloop_lag_p50_seconds') * 1_000,
    lagP99Ms: value('nodejs_eventloop_lag_p99_seconds') * 1_000,
    lagMaxMs: value('nodejs_eventloop_lag_max_seconds') * 1_000,
  };
}

function readClosed(text: string): Record<string, number> {
  const lines = text.matchAll(/^reelbook_websocket_closed_total\{.*?reason="(\w+)".*\} (\d+)$/gm);
  return Object.fromEntries([...lines].map(([, reason = '', value]) => [reason, Number(value)]));
}

/** MB per hour, by least squares over the second half of the samples. */
export function slopeOf(samples: readonly Sample[], read: (sample: Sample) => number): number {
  const half = samples.slice(Math.floor(samples.length / 2));
  const mean = (values: readonly number[]) =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanS, meanValue] = [mean(half.map(({ atS }) => atS)), mean(half.map(read))];
  const of = (value: (sample: Sample) => number) =>
    half.reduce((sum, sample) => sum + (sample.atS - meanS) * value(sample), 0);
  const spread = of(({ atS }) => atS - meanS);
  return spread === 0 ? 0 : (of((sample) => read(sample) - meanValue) / spread) * HOUR_S;
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
}

/** The lines of one gateway in the report. */
export function describeSamples(name: string, { samples, closed, missed }: Sampled): string[] {
  const of = (read: (sample: Sample) => number) => samples.map(read);
  const line = (label: string, read: (sample: Sample) => number) => {
    const values = of(read);
    const [start = 0, end = 0] = [values[0], values.at(-1)];
    return (
      `${label.padEnd(10)} ${name}: ${start.toFixed(0)} MB at the start, ${Math.max(...values).toFixed(0)} MB at most, ` +
      `${end.toFixed(0)} MB at the end, slope of the second half ${slopeOf(samples, read).toFixed(0)} MB per hour`
    );
  };
  const reasons = Object.entries(closed).map(([reason, n]) => `${reason} ${count(n)}`);
  return [
    line('resident', ({ residentMb }) => residentMb),
    line('heap', ({ heapMb }) => heapMb),
    `lag        ${name}: event loop, per second: p50 ${quantile(
      of(({ lagP50Ms }) => lagP50Ms),
      0.5,
    ).toFixed(1)} ms, p99 ${quantile(
      of(({ lagP99Ms }) => lagP99Ms),
      0.5,
    ).toFixed(1)} ms (medians), max ${Math.max(...of(({ lagMaxMs }) => lagMaxMs)).toFixed(1)} ms`,
    `unsent     ${name}: at most ${count(Math.max(...of(({ unsentBytes }) => unsentBytes)))} bytes, over at most ` +
      `${count(Math.max(...of(({ sockets }) => sockets)))} sockets; ${samples.length} samples, ${missed} missed`,
    `closed     ${name}: ${reasons.join(', ') || 'none'}`,
  ];
}
