import { openPool } from '@reelbook/event-store/db';
import { EXIT, type Exit, print } from '@reelbook/runtime/command';
import type pg from 'pg';
import { type Stage, startStage } from '../stages/processes.ts';

/** Runs `play` on a stage of its own. Data and logs are removed if all its checks pass, unless `keep`. */
export async function runOnStage(
  options: { readonly name: string; readonly keep: boolean },
  play: (on: { readonly stage: Stage; readonly pool: pg.Pool }) => Promise<boolean>,
): Promise<Exit> {
  // Child processes end with this one.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => process.exit(130));
  const stage = await startStage();
  const pool = openPool({ url: stage.databaseUrl, role: 'app', max: 4, name: options.name });
  let sound = false;
  try {
    sound = await play({ stage, pool });
    return sound ? EXIT.done : EXIT.no;
  } finally {
    await pool.end();
    await stage.stop();
    if (sound && !options.keep) stage.remove();
    else print(`data and logs  ${stage.folder}`);
  }
}
