import { openPool } from '@reelbook/event-store/db';
import { expectReplaysEqual } from '@reelbook/testing/played-ledger';
import { SEED } from '@reelbook/testing/seeds';
import { WAIT } from '@reelbook/testing/wait';
import type pg from 'pg';
import { expect } from 'vitest';
import type { Journal } from '../client/journal.ts';
import { Player } from '../client/player.ts';
import { playMore, playThrough } from '../runs/play-through.ts';
import { readCommands } from '../verdict/ledger.ts';
import { examineStream, untilRecovered } from '../verdict/recovered.ts';
import { judge } from '../verdict/spins.ts';
import type { startPostgres } from './postgres.ts';
import { type Stage, startStage } from './processes.ts';

const PLAYERS = 6;

/** A stage with players on it, for tests that do one thing to it while they play. */
export interface Scene {
  readonly stage: Stage;
  /** Role app. */
  readonly pool: pg.Pool;
  /** What everybody who ever played here knows. */
  readonly journals: Journal[];
  /** Players play before, during and after `act`, then all services must recover and every player receive a last spin. */
  during(act: (players: readonly Player[]) => Promise<void>): Promise<readonly Player[]>;
  /** The ledger is what the players know, and the stream has no hole and ends at the head. */
  expectSound(): Promise<void>;
  /** Every projection equals a replay of the ledger. */
  expectReplaysEqual(): Promise<void>;
  close(): Promise<void>;
}

export async function setScene(startDatabase?: typeof startPostgres): Promise<Scene> {
  const stage = await startStage(startDatabase);
  const pool = openPool({ url: stage.databaseUrl, role: 'app', max: 4, name: 'scene' });
  const journals: Journal[] = [];
  let seed = SEED;
  const recovered = async () => expect(await untilRecovered(stage, pool, WAIT.timeout)).toEqual([]);
  await recovered();
  return {
    stage,
    pool,
    journals,
    async during(act) {
      const giveUp = new AbortController();
      // No gateway dies here: every attempt is answered, however late.
      const player = {
        origins: stage.gateways,
        giveUp: giveUp.signal,
        timeoutMs: WAIT.timeout,
      };
      const players = Array.from(
        { length: PLAYERS },
        () => new Player({ ...player, seed: seed++ }),
      );
      journals.push(...players.map(({ journal }) => journal));
      const { faults } = await playThrough({
        site: stage,
        pool,
        players,
        giveUp,
        recoverMs: WAIT.timeout,
        async act() {
          await playMore(players);
          await act(players);
          await playMore(players);
        },
      });
      expect(faults).toEqual([]);
      return players;
    },
    async expectSound() {
      const commands = await readCommands(pool);
      expect(judge(commands.values(), journals).faults).toEqual([]);
      expect(journals.flatMap(({ faults }) => faults)).toEqual([]);
      expect(stage.services.flatMap(({ faults }) => faults)).toEqual([]);
      if (stage.natsUrl === null) return;
      const stream = await examineStream(stage.natsUrl, pool);
      expect(stream.faults).toEqual([]);
      const carried = [...commands.keys()].filter((first) => first >= stream.first);
      expect(stream.commands).toBe(carried.length);
    },
    expectReplaysEqual: () => expectReplaysEqual(pool),
    async close() {
      await pool.end();
      await stage.stop();
    },
  };
}
