import { type Checkpoint, readCheckpoints } from '@reelbook/event-store/checkpoint';
import { projections } from '@reelbook/projections/all';
import { replayAndCompare } from '@reelbook/projections/compare';
import type pg from 'pg';
import { expect, vi } from 'vitest';
import { createDatabase, type TestDatabase } from './database.ts';
import { recordedActs } from './golden.ts';
import { createHistory, type History, walletOf } from './history.ts';
import { WAIT } from './wait.ts';

const PLAYERS = 5;

/** A database whose ledger fills with play, and what followers of it must reach. */
export interface PlayedLedger {
  readonly database: TestDatabase;
  readonly history: History;
  /** Rounds of five players, with renamings and rotations. @returns the head, or 0 when nothing was appended. */
  play(rounds: number): Promise<number>;
  checkpoint(name: string): Promise<Checkpoint | undefined>;
  /** Resolves when the projections, all or those named, are at that position. */
  reached(position: number, names?: readonly string[]): Promise<void>;
  expectReplaysEqual(): Promise<void>;
}

export async function createPlayedLedger(): Promise<PlayedLedger> {
  const database = await createDatabase();
  const history = createHistory();
  for (let n = 0; n < PLAYERS; n++) history.register(walletOf(n), 100_000_000n);
  const app = database.pool('app');
  const checkpoint = async (name: string) =>
    (await readCheckpoints(app)).find((one) => one.name === name);
  return {
    database,
    history,
    play(rounds) {
      for (let i = 0; i < rounds; i++) {
        const wallet = walletOf(i % PLAYERS);
        history.bet(wallet, 100n, BigInt((i % 4) * 150));
        if (i % 10 === 0) history.rename(wallet, `Player ${i}`);
        if (i % 25 === 0) history.rotate(wallet);
      }
      return history.appendTo(app);
    },
    checkpoint,
    reached: (position, names = projections.map((one) => one.name)) =>
      vi.waitFor(async () => {
        for (const name of names) expect(await checkpoint(name)).toMatchObject({ position });
      }, WAIT),
    expectReplaysEqual: () => expectReplaysEqual(app),
  };
}

/** Events that bets alone do not cause, so that no table of a projection is empty. */
export function recordRareEvents(history: History): void {
  history.observeTreasury(10n ** 15n);
  history.exchange(walletOf(0), 'points', 500_000n);
  history.withdraw(walletOf(0), 20n * 10n ** 9n);
  history.start(walletOf(1), 'snake', 5);
  for (const { act } of recordedActs) history.act(walletOf(2), act);
  history.seal(3);
  history.anchor(1);
}

/** Every projection equals a replay of the ledger. */
export async function expectReplaysEqual(pool: pg.Pool): Promise<void> {
  for (const projection of projections) {
    const compared = await replayAndCompare(pool, projection);
    expect(compared, projection.name).toMatchObject({ equal: true, firstDifference: null });
  }
}
