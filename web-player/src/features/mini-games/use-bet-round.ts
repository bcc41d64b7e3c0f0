import type { GameResult } from '@reelbook/contract/player/games';
import type { BetPage } from '@reelbook/games/face';
import type { Choice } from '@reelbook/ledger/player/events';
import { deviceStorage } from '@reelbook/web/storage';
import { toast } from '@reelbook/web/toasts';
import i18next from 'i18next';
import { useState } from 'react';
import { api } from '../../lib/api.ts';
import { balances } from '../../lib/balances-store.ts';
import { refreshPlayerData } from '../../lib/live.ts';
import { createPendingBets, type Stake } from '../../lib/pending-commands.ts';
import { askIfProtected } from '../../lib/protection.ts';
import { ensureOwnSeed } from '../../lib/seeds.ts';
import { type KeptState, useKeptCommand } from '../../lib/use-kept-command.ts';

export type BetGame = BetPage & { readonly id: string };

/** `over`: settled. */
export type BetState =
  | KeptState<StakeOnChoice>
  | { readonly phase: 'over'; readonly result: GameResult };

interface StakeOnChoice extends Stake {
  readonly choice?: Choice | undefined;
}

/** Bets of one player on one instant game. */
export function useBetRound(
  { id: game }: BetGame,
  wallet: string,
  onFault: (error: unknown) => void,
) {
  const [pending] = useState(() => createPendingBets(deviceStorage, game));
  const [result, setResult] = useState<GameResult | null>(null);
  const { state, send, discard } = useKeptCommand<StakeOnChoice, StakeOnChoice, GameResult>({
    wallet,
    pending,
    prepare: async (stake) => {
      await ensureOwnSeed();
      return stake;
    },
    send: ({ bet, choice }, idempotencyKey) => {
      const body = { bet_amount: bet, ...(choice && { choice }) };
      return api.call('gameBet', { params: { game }, idempotencyKey, body });
    },
    onDone: (settled) => {
      balances.accept(settled);
      refreshPlayerData();
      setResult(settled);
    },
    onRefused: (error) => {
      askIfProtected(error);
      onFault(error);
    },
    onDiscarded: ({ bet }) => toast(i18next.t('unconfirmed.discarded', { bet })),
  });
  const shown: BetState = state.phase === 'idle' && result ? { phase: 'over', result } : state;
  return {
    state: shown,
    place: (bet: number, choice: Choice | undefined) => {
      setResult(null);
      void send({ bet, choice });
    },
    discard,
  };
}
