/** Rounds of the games that last, compared with what their players know. */
import { setTimeout as sleep } from 'node:timers/promises';
import { playerStream } from '@reelbook/ledger/streams';
import type pg from 'pg';
import type { Round } from '../client/journal.ts';
import { readCommands } from './ledger.ts';

const SETTLED_TIMEOUT_MS = 90_000;
const LOOK_EVERY_MS = 250;

/**
 * Waits until no round is open, then compares the ledger with what the players know.
 * @returns faults, how many were swept, and how long it waited.
 */
export async function examineRounds(
  pool: pg.Pool,
  known: readonly Round[],
): Promise<{
  readonly faults: readonly string[];
  readonly swept: number;
  readonly seconds: number;
}> {
  const since = performance.now();
  for (;;) {
    const { open, faults, swept } = await compare(pool, known);
    const waited = performance.now() - since;
    if (open.length > 0 && waited < SETTLED_TIMEOUT_MS) {
      await sleep(LOOK_EVERY_MS);
      continue;
    }
    return {
      faults: [...faults, ...open.map((round) => `${round} was left open`)],
      swept,
      seconds: waited / 1_000,
    };
  }
}

async function compare(pool: pg.Pool, known: readonly Round[]) {
  const placed = new Set<string>();
  const ended = new Map<string, number>();
  const faults: string[] = [];
  const ids = new Set(known.map(({ begun }) => begun.round_id));
  const streams = new Set(known.map(({ wallet }) => playerStream(wallet)));
  let swept = 0;
  for (const { event, meta, stream } of [...(await readCommands(pool)).values()].flat()) {
    if (event.type === 'BetPlaced') {
      const { round } = event.data;
      placed.add(round);
      if (streams.has(stream) && !ids.has(round)) faults.push(`no player began ${round}`);
    }
    if (event.type !== 'BetWon' && event.type !== 'BetLost') continue;
    const { round } = event.data;
    if (ended.has(round)) faults.push(`${round} is settled twice`);
    ended.set(round, event.type === 'BetWon' ? Number(event.data.payoutMinor) / 100 : 0);
    if (meta.actor === 'system:gateway') swept++;
  }
  for (const { begun, reward, ended: reported } of known) {
    const id = begun.round_id;
    if (!placed.has(id)) faults.push(`${id} was answered and is not in the ledger`);
    const paid = ended.get(id);
    if (paid !== undefined && paid !== reward)
      faults.push(`${id} paid ${paid}, its seed ${reward}`);
    if (reported && reported.reward !== paid)
      faults.push(`${id} was reported ${reported.reward}, paid ${paid}`);
  }
  return { open: [...placed].filter((round) => !ended.has(round)), faults, swept };
}
