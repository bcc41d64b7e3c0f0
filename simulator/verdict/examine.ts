import { print } from '@reelbook/runtime/command';
import type pg from 'pg';
import type { Journal } from '../client/journal.ts';
import { readCommands } from './ledger.ts';
import { examineStream } from './recovered.ts';
import { judge } from './spins.ts';

/**
 * Compares the ledger and the stream with the journals of those who spun. @returns the faults.
 */
export async function examineLedger(o: {
  readonly pool: pg.Pool;
  readonly natsUrl: string | null;
  readonly journals: readonly Journal[];
}): Promise<readonly string[]> {
  const { pool, natsUrl, journals } = o;
  const commands = [...(await readCommands(pool)).values()];
  const { tally, faults } = judge(commands, journals);
  print(
    `ledger     ${tally.proven} spins are in it once, exactly as they were answered; ` +
      `${tally.rotations} rotations, ${tally.logins} logins, each requested by a player`,
  );
  if (natsUrl === null) return faults;
  const stream = await examineStream(natsUrl, pool);
  // Read again: seals and anchors may have been added meanwhile.
  const { size } = await readCommands(pool);
  print(`stream     ${stream.commands} of ${size} commands, in order, to the head`);
  const once = stream.first === 1 && stream.commands === size;
  return [...faults, ...stream.faults, ...(once ? [] : ['the stream is not the ledger, once'])];
}
