import type { GameResult, StartResult } from '@reelbook/contract/player/games';
import { readStream } from '@reelbook/event-store/read-stream';
import { playerStream } from '@reelbook/ledger/streams';
import { WAIT } from '@reelbook/testing/wait';
import { expect, vi } from 'vitest';
import type { TestPlayer, TestSite } from '../stages/site.ts';
import { workOut } from './work-out.ts';

const EVENTS_MAX = 1_000;

/** Calls of a player of games that last, and what the ledger then contains of them. */
export const start = (player: TestPlayer, game: string, key?: string) =>
  player.call<StartResult>(`/game/${game}/start`, { method: 'POST', ...(key ? { key } : {}) });

export const play = (player: TestPlayer, game: string, body: object, key?: string) =>
  player.call<GameResult>(`/game/${game}/play`, { body, ...(key ? { key } : {}) });

/** Sends the figures until the ticks are over. */
export async function end(
  player: TestPlayer,
  round: StartResult,
  figures = workOut(round).figures,
) {
  return vi.waitFor(async () => {
    const answer = await play(player, round.game, figures);
    expect(answer.message).not.toContain('not over yet');
    return answer;
  }, WAIT);
}

export const points = async (player: TestPlayer) =>
  (await player.call<{ points_balance: number }>('/user/balance')).data.points_balance;

export const eventsIn = (site: TestSite, player: TestPlayer) =>
  readStream(site.pool, {
    stream: playerStream(player.wallet.address),
    fromVersion: 1,
    limit: EVENTS_MAX,
  });

export const betTypesIn = async (site: TestSite, player: TestPlayer) =>
  (await eventsIn(site, player)).map(({ event }) => event.type).filter((type) => /Bet/.test(type));
