import type { GameResult } from '@reelbook/contract/player/games';
import type { BetPage } from '@reelbook/games/face';
import type { Game } from '@reelbook/games/game';
import type { Choice } from '@reelbook/ledger/player/events';
import { Line } from '@reelbook/web/components/card';
import { formatInteger, points, signed } from '@reelbook/web/format';
import { deviceStorage } from '@reelbook/web/storage';
import { useStore } from '@reelbook/web/store';
import { toast } from '@reelbook/web/toasts';
import { useQuery } from '@tanstack/react-query';
import i18next from 'i18next';
import { type CSSProperties, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ChoiceFields } from '../../components/choice-fields.tsx';
import { PositionChip } from '../../components/position-chip.tsx';
import { UnconfirmedNotice } from '../../components/unconfirmed-notice.tsx';
import { api } from '../../lib/api.ts';
import { balances } from '../../lib/balances-store.ts';
import { useGameTexts } from '../../lib/game-texts.ts';
import { refreshPlayerData } from '../../lib/live.ts';
import { createPendingBets, type Stake } from '../../lib/pending-commands.ts';
import { askIfProtected } from '../../lib/protection.ts';
import { configOf, gameConfigs } from '../../lib/queries.ts';
import { ensureOwnSeed } from '../../lib/seeds.ts';
import { type KeptState, useKeptCommand } from '../../lib/use-kept-command.ts';
import { BetControls, useBet } from '../slot-machine/bet-controls.tsx';
import { betFault } from '../slot-machine/place-bet.ts';
import { GameOdds, MINI_GAME } from './game-odds.tsx';

export type BetGame = BetPage & { readonly id: string };

/** `over`: settled. */
export type BetState =
  | KeptState<StakeOnChoice>
  | { readonly phase: 'over'; readonly result: GameResult };

interface StakeOnChoice extends Stake {
  readonly choice?: Choice | undefined;
}

/** Bets of one player on one instant game. */
function useBetRound({ id: game }: BetGame, wallet: string, onFault: (error: unknown) => void) {
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

/** An instant game: the field, choice and stake next to it, and the odds of that choice below. */
export function BetPlay(props: { game: BetGame; rules: Game; wallet: string }) {
  const { game, rules, wallet } = props;
  const { t } = useTranslation();
  const { name, how } = useGameTexts()(game.id);
  const { data } = useQuery(gameConfigs);
  const config = configOf(data, game.id);
  const held = useStore(balances)?.points ?? null;
  const bet = useBet(config, held, game.id);
  const [choice, setChoice] = useState(rules.choice?.initial);
  const odds = useMemo(
    () => (config ? rules.odds(config.rules, choice) : undefined),
    [rules, config, choice],
  );
  const { state, place, discard } = useBetRound(game, wallet, (error) => {
    const { key, ...figures } = betFault(error);
    toast(t(key, figures), 'bad');
  });
  const isUnconfirmed = state.phase === 'unconfirmed';
  const isBusy = state.phase === 'sending' || isUnconfirmed;
  // The field shows the last round until the choice changes.
  const result = state.phase === 'over' ? state.result : null;
  const shown = JSON.stringify(result?.choice) === JSON.stringify(choice) ? result : null;
  return (
    <div className={MINI_GAME}>
      <div className="min-w-0">
        <section
          className="cabinet mini-cabinet"
          style={{ '--aspect': game.aspect } as CSSProperties}
        >
          <div className="mini-field">
            {game.draw({
              choice,
              outcome: shown?.outcome ?? null,
              label: t('mini.field', { game: name }),
            })}
          </div>
        </section>
        {how !== undefined && <p className="mt-4 max-w-[720px] text-fg-2 text-sm">{how}</p>}
      </div>
      <div className="grid gap-4 md:gap-6">
        <section className="rounded-lg border border-line bg-ink-1 px-5 py-4">
          <dl>
            <Line label={t('mini.held')}>{held === null ? '…' : points(held)}</Line>
          </dl>
          {choice && (
            <ChoiceFields
              game={rules}
              choice={choice}
              disabled={isBusy}
              onChange={(chosen) => setChoice({ ...choice, ...chosen })}
            />
          )}
          <Result state={state} />
          {isUnconfirmed && (
            <UnconfirmedNotice
              kind="bet"
              amount={formatInteger(state.pending.bet)}
              atMs={state.pending.atMs}
              checked={state.checked}
              onDiscard={discard}
            />
          )}
          <BetControls
            bet={bet}
            isBusy={isBusy}
            isUnconfirmed={isUnconfirmed}
            held={held}
            config={config}
            words={{ go: 'mini.place', busy: 'mini.phase.ending' }}
            onSpin={(amount) => place(amount, choice)}
          />
        </section>
        <GameOdds game={game.id} odds={odds} />
      </div>
    </div>
  );
}

/** The result of the last bet, also for screen readers. */
function Result({ state }: { state: BetState }) {
  const { t } = useTranslation();
  return (
    <div className="min-h-12" role="status" aria-live="polite">
      {state.phase === 'over' && (
        <p className="flex flex-wrap items-center justify-between gap-3 font-semibold text-lg">
          <span>
            {t(state.result.reward > 0 ? 'mini.won' : 'mini.lost')}{' '}
            <span className={`font-mono ${state.result.reward > 0 ? 'text-mint' : 'text-fg-2'}`}>
              {signed(state.result.reward)}
            </span>
          </span>
          <PositionChip position={state.result.position} roundId={state.result.round_id} />
        </p>
      )}
    </div>
  );
}
