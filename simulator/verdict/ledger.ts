import { readHead, readLog } from '@reelbook/event-store/read-log';
import type { PlacedEvent } from '@reelbook/ledger/events';
import type pg from 'pg';
import type { Command } from './spins.ts';

const EVENTS_PER_READ = 5_000;

/** Every command of the ledger as it is now, by the position of its first event. */
export async function readCommands(pool: pg.Pool): Promise<ReadonlyMap<number, Command>> {
  const commands = new Map<number, PlacedEvent[]>();
  const { position } = await readHead(pool);
  for (let from = 1; from <= position; from += EVENTS_PER_READ) {
    const limit = Math.min(EVENTS_PER_READ, position - from + 1);
    for (const event of await readLog(pool, { from, limit })) {
      const command = commands.get(event.firstPosition);
      if (command) command.push(event);
      else commands.set(event.firstPosition, [event]);
    }
  }
  return commands;
}
