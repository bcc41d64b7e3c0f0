import type { SlotConfig } from '@reelbook/contract/schemas/slot';
import { deviceStorage, tabStorage } from '@reelbook/web/storage';
import { useCallback, useEffect, useRef, useState } from 'react';
import { isPassing, isRealityCheck } from '../../lib/api.ts';
import { balances } from '../../lib/balances-store.ts';
import { gameResultListeners, refreshMine } from '../../lib/live.ts';
import { askProtection } from '../../lib/protection.ts';
import { queryClient } from '../../lib/queries.ts';
import { seeds } from '../../lib/seeds.ts';
import type { Promised } from '../../lib/verify.ts';
import { createPendingBets, type PendingBet } from './pending-bet.ts';
import { type BetFault, betFault, placeBet } from './place-bet.ts';
import { createPlaySession } from './play-session.ts';
import { notePlayed, type ShownRound } from './slot-api.ts';

/** The reels turn at least this long, however fast the server answers. */
const SPIN_MS = 2_000;

const pendingBets = createPendingBets(deviceStorage);
export const playSession = createPlaySession(tabStorage, Date.now);

/**
 * `idle`: nothing was played on this page yet. `spinning`: the bet is sent, the reels turn. `landing`: the result is
 * known and the reels come to rest on it. `settled`: it is shown. `failed`: no result; `uncertain` when the bet may
 * have been placed all the same, so that SPIN asks for that very bet again.
 */
export type SpinState =
  | { phase: 'idle' | 'spinning' }
  | { phase: 'landing' | 'settled'; round: ShownRound; promised: Promised | null }
  | { phase: 'failed'; fault: BetFault; uncertain: boolean };

/** The one round under way; `result` once the reels may land on it. */
interface Running {
  pending: PendingBet;
  result: ShownRound | null;
}

/** Plays rounds of one player; everything between pressing SPIN and seeing the result. */
export function useSpin(wallet: string, config: SlotConfig | undefined) {
  const [state, setState] = useState<SpinState>({ phase: 'idle' });
  const running = useRef<Running | null>(null);
  const here = useRef(true);
  const limits = useRef(config);
  limits.current = config;

  const run = useCallback(async (pending: PendingBet, isFresh: boolean) => {
    if (running.current) return;
    running.current = { pending, result: null };
    setState({ phase: 'spinning' });
    // After a reload the stake is in the balance already.
    balances.holdStake(isFresh ? pending.bet : 0);
    const promised = isFresh ? readPromised() : null;
    const turned = new Promise((wake) => setTimeout(wake, SPIN_MS));
    try {
      const result = await placeBet(pending);
      balances.accept(result);
      await turned;
      running.current = { pending, result };
      if (here.current) setState({ phase: 'landing', round: result, promised });
    } catch (error) {
      running.current = null;
      const uncertain = isPassing(error);
      if (!uncertain) pendingBets.finish(pending);
      balances.release();
      if (isRealityCheck(error)) askProtection();
      if (here.current) {
        setState({ phase: 'failed', fault: betFault(error, limits.current), uncertain });
      }
    }
  }, []);

  useEffect(() => {
    here.current = true;
    playSession.start(wallet);
    const left = pendingBets.find(wallet);
    if (left) void run(left, false);
    return () => {
      here.current = false;
      balances.release();
    };
  }, [wallet, run]);
  useOthersResults(running);

  const spin = useCallback(
    (bet: number) => {
      const left = pendingBets.find(wallet);
      void run(left ?? pendingBets.begin(wallet, bet), !left);
    },
    [wallet, run],
  );
  const landed = useCallback(() => {
    const landing = running.current;
    if (!landing?.result) return;
    running.current = null;
    pendingBets.finish(landing.pending);
    balances.release();
    playSession.count(wallet, landing.result);
    notePlayed(landing.result);
    setState((now) => (now.phase === 'landing' ? { ...now, phase: 'settled' } : now));
    refreshMine();
  }, [wallet]);

  return { state, spin, landed };
}

/** Rounds of this player from another tab or program show up too, but never while the reels turn. */
function useOthersResults(running: { readonly current: Running | null }): void {
  useEffect(() => {
    const listener = () => {
      if (!running.current) refreshMine();
    };
    gameResultListeners.add(listener);
    return () => {
      gameResultListeners.delete(listener);
    };
  }, [running]);
}

function readPromised(): Promised | null {
  return queryClient.getQueryData(seeds.queryKey) ?? null;
}
