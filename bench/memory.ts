/** Memory of a gateway over many spins: flat, or its growth. */
import { readFileSync } from 'node:fs';
import autocannon from 'autocannon';
import { openLiveHeap } from './live-heap.ts';
import { enter, withGateway } from './site.ts';

const CONNECTIONS = 64;
const STEP_S = 10;
/** A player loses 4 % of the stakes on average: enough players that no balance reaches zero before the end. */
const SPINS_PER_PLAYER = 2_000;

export interface MemoryOptions {
  readonly spins: number;
  print(line: string): void;
}

export async function benchMemory(options: MemoryOptions): Promise<void> {
  await withGateway(async (site, pidOf) => {
    const tokens = await enter(
      site,
      Math.max(CONNECTIONS, Math.ceil(options.spins / SPINS_PER_PLAYER)),
    );
    const pid = pidOf() ?? 0;
    const heap = await openLiveHeap(pid);
    const points: { spins: number; megabytes: number }[] = [];
    let spins = 0;
    let turn = 0;
    while (spins < options.spins) {
      const result = await autocannon({
        url: `${site}/api/v1/game/slot-machine/bet`,
        duration: STEP_S,
        connections: CONNECTIONS,
        method: 'POST',
        body: JSON.stringify({ bet_amount: 1, lines: 25 }),
        setupClient(client) {
          const token = tokens[turn++ % tokens.length];
          client.setHeaders({
            'content-type': 'application/json',
            authorization: `Bearer ${token}`,
          });
        },
      });
      spins += result.requests.total;
      // Resident memory alone is not conclusive: it varies by 200 MB with the collections of the old space.
      const resident = residentMegabytes(pid);
      const live = await heap.measure();
      points.push({ spins, megabytes: live });
      options.print(
        `${spins.toLocaleString('en-US')} spins: ${live.toFixed(1)} MB live, ${resident.toFixed(0)} MB resident`,
      );
    }
    heap.close();
    // The first half fills bounded caches; the slope is measured over the second half.
    const settled = points.slice(Math.floor(points.length / 2));
    options.print(
      `slope of the live heap, second half: ${slope(settled).toFixed(1)} MB per million spins`,
    );
  });
}

function residentMegabytes(pid: number): number {
  const line = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(line?.[1] ?? Number.NaN) / 1_024;
}

/** Least squares, in megabytes per million spins. */
function slope(points: readonly { spins: number; megabytes: number }[]): number {
  const mean = (list: number[]) => list.reduce((sum, value) => sum + value, 0) / list.length;
  const x = mean(points.map((point) => point.spins));
  const y = mean(points.map((point) => point.megabytes));
  let [above, below] = [0, 0];
  for (const point of points) {
    above += (point.spins - x) * (point.megabytes - y);
    below += (point.spins - x) ** 2;
  }
  return (above / below) * 1e6;
}
