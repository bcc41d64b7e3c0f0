import type { GameConfigs } from '@reelbook/contract/schemas/game-config';
import type { GameResult, StartResult } from '@reelbook/contract/schemas/games';
import { checkRound } from '@reelbook/games/check';
import type { Game, Report } from '@reelbook/games/game';
import { games } from '@reelbook/games/rules';
import { toMinor } from '@reelbook/ledger/money';
import { call, must } from './api.ts';
import { workOut } from './work-out.ts';

/** The games that last, played as a page plays them: from the seed of the round alone. */
export const LASTING = games.filter(({ timed }) => timed !== null);

/** Ticks of a round that lasts long: far more than almost all do. */
const TICKS_EXPECTED = 60;
const ENDS_MAX = 50;

/** One round as its player saw it. */
export interface LastingRound {
  readonly game: Game;
  readonly begun: StartResult;
  readonly ended: GameResult;
}

/** How long a tick of this site lasts. */
export async function readTickMs(site: string): Promise<number> {
  const { tetris } = await must<GameConfigs>(site, '/game/configs');
  return tetris.timed?.tick_ms ?? 0;
}

/** About how long so many rounds of each game take, played one after the other by each player. */
export function expectedSeconds(rounds: number, players: number, tickMs: number): number {
  return (LASTING.length * Math.ceil(rounds / players) * TICKS_EXPECTED * tickMs) / 1_000;
}

/**
 * Begins a round, works out its end here, waits until its ticks are over and reports. Throws where the server pays
 * anything else than what was worked out.
 */
export async function playRound(
  site: string,
  token: string,
  o: { readonly game: Game; readonly n: number },
): Promise<LastingRound> {
  const { game, n } = o;
  const path = `/game/${game.id}`;
  const key = `${game.id}-${n}`;
  const begun = await must<StartResult>(site, `${path}/start`, { method: 'POST', token, key });
  const { figures, reward, ticks } = workOut(begun);
  await new Promise((resolve) => setTimeout(resolve, ticks * begun.tick_ms));
  const ended = await report(site, `${path}/play`, { token, figures });
  if (ended.round_id !== begun.round_id || ended.reward !== reward) {
    throw new Error(`${begun.round_id} paid ${ended.reward}; its seed gives ${reward}`);
  }
  return { game, begun, ended };
}

/** A report that comes some milliseconds too soon, by another clock, is sent again. */
async function report(
  site: string,
  path: string,
  o: { readonly token: string; readonly figures: Report },
): Promise<GameResult> {
  for (let attempt = 1; ; attempt++) {
    const { token, figures: body } = o;
    const answer = await call<GameResult & { error?: string; ms_left?: number }>(site, path, {
      token,
      body,
    });
    if (answer.status === 200) return answer.data;
    if (answer.data.error !== 'round-too-soon' || attempt === ENDS_MAX) {
      throw new Error(`${path}: ${answer.status} ${answer.message}`);
    }
    await new Promise((resolve) => setTimeout(resolve, Math.max(1, answer.data.ms_left ?? 1)));
  }
}

/** Draws the round again from the revealed server seed, as the player's browser does. */
export function verifyRound(round: LastingRound, revealed: ReadonlyMap<string, string>): boolean {
  const { game, begun, ended } = round;
  const check = checkRound(
    {
      game: game.id,
      rules: begun.rules,
      stakeMinor: toMinor('points', begun.bet_amount) ?? 0n,
      lines: 1,
      serverSeedHash: begun.server_seed_hash,
      clientSeed: begun.client_seed,
      nonce: begun.nonce,
      outcome: ended.outcome,
      payoutMinor: toMinor('points', ended.reward) ?? 0n,
    },
    revealed.get(begun.server_seed_hash) ?? '',
  );
  if (!check.ok) throw new Error(`${begun.round_id} does not verify: ${check.fault}`);
  return true;
}
