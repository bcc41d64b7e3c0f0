import { ApiError } from '@reelbook/contract/client';
import type { GameResult, OpenRound, StartResult } from '@reelbook/contract/schemas/games';
import { randomKey } from '@reelbook/web/random-key';
import { useCallback, useEffect, useRef, useState } from 'react';
import { api, isPassing, isRealityCheck } from '../../lib/api.ts';
import { balances } from '../../lib/balances-store.ts';
import { askProtection } from '../../lib/protection.ts';
import { MINE, queryClient } from '../../lib/queries.ts';
import type { MiniGameParts, Tick } from './mini-game.ts';

/** How often a result that got no answer, or came too soon, is sent again, and after how long. */
const SEND_MAX = 6;
const SEND_AGAIN_MS = 1_000;

export interface Running<T> {
  readonly roundId: string;
  readonly ticks: readonly T[];
  readonly tickMs: number;
  /** When it began, by `performance.now()`. */
  readonly beganMs: number;
}

/**
 * `looking`: whether a round is open already. `idle`: none is. `running`: one is drawn, tick by tick. `ending`: its
 * figures are on their way. `stuck`: they did not arrive; they may be sent again. `over`: settled.
 */
export type MiniState<T> =
  | { readonly phase: 'looking' | 'idle' | 'starting' }
  | { readonly phase: 'running' | 'ending' | 'stuck'; readonly running: Running<T> }
  | { readonly phase: 'over'; readonly last: T; readonly result: GameResult };

export type MiniFault = 'insufficient' | 'start' | 'submit';

/** Rounds of one player in one game: begun or found open, drawn to their end, settled once. */
export function useMiniRound<T extends Tick>(
  parts: MiniGameParts<T>,
  onFault: (fault: MiniFault, why: string) => void,
) {
  const [state, setState] = useState<MiniState<T>>({ phase: 'looking' });
  const here = useRef(true);
  const fault = useRef(onFault);
  fault.current = onFault;
  const { game, simulate, report } = parts;

  const begin = useCallback(
    (round: StartResult | OpenRound) => {
      const elapsedMs = 'elapsed_ms' in round ? round.elapsed_ms : 0;
      const running: Running<T> = {
        roundId: round.round_id,
        ticks: simulate(round.round_seed, round.rules),
        tickMs: round.tick_ms,
        beganMs: performance.now() - elapsedMs,
      };
      if (here.current) setState({ phase: 'running', running });
    },
    [simulate],
  );

  const look = useCallback(async (): Promise<boolean> => {
    const { round } = await api.call('gameRound', { params: { game } });
    if (round) begin(round);
    return round !== null;
  }, [game, begin]);

  useEffect(() => {
    here.current = true;
    look().then(
      (found) => !found && here.current && setState({ phase: 'idle' }),
      () => here.current && setState({ phase: 'idle' }),
    );
    return () => {
      here.current = false;
    };
  }, [look]);

  const start = useCallback(async () => {
    setState({ phase: 'starting' });
    try {
      const round = await api.call('gameStart', { params: { game }, idempotencyKey: randomKey() });
      balances.accept(round);
      begin(round);
    } catch (error) {
      // Perhaps it has begun all the same, or was open: then it goes on.
      if (await look().catch(() => false)) return;
      if (isRealityCheck(error)) askProtection();
      if (here.current) setState({ phase: 'idle' });
      const why = error instanceof ApiError ? error.message : '';
      const isShort = why.startsWith('insufficient points balance');
      fault.current(isShort ? 'insufficient' : 'start', why);
    }
  }, [game, begin, look]);

  const end = useCallback(
    async (running: Running<T>) => {
      const last = running.ticks.at(-1);
      if (!last) return;
      setState({ phase: 'ending', running });
      try {
        const result = await send(game, report(last), running.roundId);
        balances.accept(result);
        void queryClient.invalidateQueries({ queryKey: [MINE] });
        if (here.current) setState({ phase: 'over', last, result });
      } catch (error) {
        if (here.current) setState({ phase: 'stuck', running });
        fault.current('submit', error instanceof ApiError ? error.message : '');
      }
    },
    [game, report],
  );

  return { state, start: () => void start(), end };
}

/** Under the round's own key, so that however often it is sent it is settled once. */
async function send(
  game: string,
  body: Readonly<Record<string, number | boolean>>,
  roundId: string,
): Promise<GameResult> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await api.call('gamePlay', { params: { game }, body, idempotencyKey: roundId });
    } catch (error) {
      const mayHelp = isPassing(error) || isTooSoon(error);
      if (!mayHelp || attempt === SEND_MAX) throw error;
      await new Promise((wake) => setTimeout(wake, SEND_AGAIN_MS));
    }
  }
}

function isTooSoon(error: unknown): boolean {
  return error instanceof ApiError && error.data?.error === 'round-too-soon';
}
