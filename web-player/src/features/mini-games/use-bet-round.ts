import type { GameResult } from '@reelbook/contract/player/games';
import type { CommandOutcome } from '@reelbook/contract/player/profile';
import type { BetPage } from '@reelbook/games/face';
import type { Choice } from '@reelbook/ledger/player/events';
import { isUnconfirmed } from '@reelbook/web/api-errors';
import { deviceStorage } from '@reelbook/web/storage';
import { toast } from '@reelbook/web/toasts';
import i18next from 'i18next';
import { useCallback, useEffect, useRef, useState } from 'react';
import { api } from '../../lib/api.ts';
import { balances } from '../../lib/balances-store.ts';
import { refreshPlayerData } from '../../lib/live.ts';
import { askIfProtected } from '../../lib/protection.ts';
import { ensureOwnSeed } from '../../lib/seeds.ts';
import { type Checked, discardCommand, followCommand } from '../../lib/unconfirmed.ts';
import { createPendingBets, type PendingBet } from '../slot-machine/pending-bet.ts';

export type BetGame = BetPage & { readonly id: string };

/** `unconfirmed`: may have been placed; the ledger is queried. `over`: settled. */
export type BetState =
  | { readonly phase: 'idle' | 'sending' }
  | { readonly phase: 'unconfirmed'; readonly pending: PendingBet; readonly checked: Checked }
  | { readonly phase: 'over'; readonly result: GameResult };

/** Bets of one player on one instant game, each sent once: one without a response is queried, never sent again. */
export function useBetRound(
  { id: game }: BetGame,
  wallet: string,
  onFault: (error: unknown) => void,
) {
  const [state, setState] = useState<BetState>({ phase: 'idle' });
  const [pendingBets] = useState(() => createPendingBets(deviceStorage, Date.now, game));
  const visit = useRef<{ left: AbortController; pending: PendingBet | null } | null>(null);
  const fault = useRef(onFault);
  fault.current = onFault;

  const over = useCallback(
    (pending: PendingBet, result: GameResult) => {
      pendingBets.finish(pending);
      balances.accept(result);
      refreshPlayerData();
      setState({ phase: 'over', result });
    },
    [pendingBets],
  );

  const fail = useCallback((error: unknown) => {
    askIfProtected(error);
    setState({ phase: 'idle' });
    fault.current(error);
  }, []);

  const conclude = useCallback(
    (pending: PendingBet, { status, result }: CommandOutcome) => {
      if (visit.current) visit.current.pending = null;
      if (status === 'done') return over(pending, result as GameResult);
      pendingBets.finish(pending);
      setState({ phase: 'idle' });
      toast(i18next.t('unconfirmed.discarded', { bet: pending.bet }));
    },
    [over, pendingBets],
  );

  const check = useCallback(
    async (pending: PendingBet) => {
      const now = visit.current;
      if (!now || now.left.signal.aborted) return;
      now.pending = pending;
      const onChecked = (checked: Checked) => {
        if (now.pending === pending) setState({ phase: 'unconfirmed', pending, checked });
      };
      onChecked('checking');
      try {
        const outcome = await followCommand(pending, { signal: now.left.signal, onChecked });
        if (now.pending === pending) conclude(pending, outcome);
      } catch (error) {
        if (!now.left.signal.aborted) fail(error);
      }
    },
    [conclude, fail],
  );

  useEffect(() => {
    const left = new AbortController();
    visit.current = { left, pending: null };
    // A bet that a reload interrupted before its result.
    const unfinished = pendingBets.find(wallet);
    if (unfinished) void check(unfinished);
    return () => left.abort();
  }, [pendingBets, wallet, check]);

  const place = useCallback(
    async (bet: number, choice: Choice | undefined) => {
      const now = visit.current;
      if (!now || now.left.signal.aborted) return;
      setState({ phase: 'sending' });
      let pending: PendingBet | null = null;
      try {
        await ensureOwnSeed();
        // The page was left: the next request would charge the player who is signed in now.
        if (now.left.signal.aborted) return;
        const unfinished = pendingBets.find(wallet);
        if (unfinished) return await check(unfinished);
        pending = pendingBets.begin(wallet, bet);
        const call = { params: { game }, idempotencyKey: pending.key };
        const body = { bet_amount: bet, ...(choice && { choice }) };
        over(pending, await api.call('gameBet', { ...call, body }));
      } catch (error) {
        if (pending && isUnconfirmed(error)) return check(pending);
        if (pending) pendingBets.finish(pending);
        fail(error);
      }
    },
    [game, wallet, pendingBets, check, fail, over],
  );

  const discard = useCallback(async () => {
    const pending = visit.current?.pending;
    if (pending) conclude(pending, await discardCommand(pending.key));
  }, [conclude]);

  return { state, place: (bet: number, choice?: Choice) => void place(bet, choice), discard };
}
