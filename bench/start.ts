/** Time until the site of `npm start` serves: with a new data folder, which creates the database, and again with its data. */
import { startStandalone } from '../e2e/standalone.ts';
import { figure, quantile } from './measure.ts';

/** Median, for the second start. */
const GOAL_MS = 3_500;

export async function benchStart(options: {
  readonly rounds: number;
  print(line: string): void;
}): Promise<void> {
  let begunMs = performance.now();
  const site = await startStandalone();
  try {
    options.print(`first start ${figure(performance.now() - begunMs)} ms`);
    const againMs: number[] = [];
    for (let round = 0; round < options.rounds; round++) {
      await site.restart(async () => {
        begunMs = performance.now();
      });
      againMs.push(performance.now() - begunMs);
    }
    againMs.sort((a, b) => a - b);
    options.print(
      `second start ${figure(quantile(againMs, 0.5))} ms [${figure(againMs[0])}..${figure(againMs.at(-1))}]   (goal ${figure(GOAL_MS)})`,
    );
  } finally {
    await site.stop();
  }
}
