/** Timing: closed loops in turn, several rounds, medians and ratios of one run. */

export interface Sample {
  /** Operations per second. */
  readonly rate: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** CPU time of this process, in cores. */
  readonly cores: number;
}

export interface Subject {
  readonly name: string;
  /** Closed loops at the same time. */
  readonly workers: number;
  /** One operation; resolves when it is durable. */
  operate(worker: number): Promise<unknown>;
}

const WARM_UP_MS = 1_000;
const LATENCIES_KEPT_MAX = 500_000;

export async function closedLoop(subject: Subject, seconds: number): Promise<Sample> {
  await loop(subject, WARM_UP_MS, null);
  const latencies: number[] = [];
  const cpu = process.cpuUsage();
  const begun = performance.now();
  const count = await loop(subject, seconds * 1_000, latencies);
  const elapsedMs = performance.now() - begun;
  const { user, system } = process.cpuUsage(cpu);
  latencies.sort((a, b) => a - b);
  return {
    rate: (count / elapsedMs) * 1_000,
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
    cores: (user + system) / 1_000 / elapsedMs,
  };
}

async function loop(
  subject: Subject,
  durationMs: number,
  latencies: number[] | null,
): Promise<number> {
  const end = performance.now() + durationMs;
  let count = 0;
  const work = async (worker: number) => {
    for (let now = performance.now(); now < end; ) {
      await subject.operate(worker);
      const after = performance.now();
      if (latencies && latencies.length < LATENCIES_KEPT_MAX) latencies.push(after - now);
      now = after;
      count++;
    }
  };
  await Promise.all(Array.from({ length: subject.workers }, (_, worker) => work(worker)));
  return count;
}

/** A line of the table: the rounds of one subject under one load. */
export interface Summary {
  readonly median: Sample;
  readonly low: number;
  readonly high: number;
  readonly rounds: number;
}

export function summarize(samples: readonly Sample[]): Summary {
  const byRate = [...samples].sort((a, b) => a.rate - b.rate);
  const median = byRate[Math.floor(byRate.length / 2)];
  const [low, high] = [byRate[0], byRate.at(-1)];
  if (!median || !low || !high) throw new Error('nothing was measured');
  return { median, low: low.rate, high: high.rate, rounds: samples.length };
}

export function quantile(sorted: readonly number[], q: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN;
}

export function describe(cell: Summary): string {
  const { rate, p50Ms, p99Ms, cores } = cell.median;
  return `${figure(rate)}/s [${figure(cell.low)}..${figure(cell.high)}], p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(0)} ms, ${cores.toFixed(2)} cores of this process`;
}

export function figure(value: number | undefined): string {
  return Math.round(value ?? 0).toLocaleString('en-US');
}
