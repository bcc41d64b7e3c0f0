import type { GameConfig } from '@reelbook/contract/player/public';
import type { Reels } from '@reelbook/games/slot-machine/paytable';
import { winningReels } from '@reelbook/games/slot-machine/rules';
import { SlotReels } from '@reelbook/games/slot-machine/view';
import { FairnessIcon } from '@reelbook/web/components/icons';
import { multipleOf, points } from '@reelbook/web/format';
import { useReducedMotion } from '@reelbook/web/motion';
import { useStore } from '@reelbook/web/store';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { ClosedPanel } from '../../components/closed-panel.tsx';
import { ConnectButton } from '../../components/connect-button.tsx';
import { rowKey, symbolKey } from '../../components/row-name.ts';
import { balances } from '../../lib/balances-store.ts';
import { useGameTexts } from '../../lib/game-texts.ts';
import { online } from '../../lib/online.ts';
import { paths } from '../../lib/paths.ts';
import { isReels } from '../../lib/prove-slot-round.ts';
import { seeds } from '../../lib/seeds.ts';
import { useClosed } from '../../lib/use-closed.ts';
import { BetControls, useBet } from './bet-controls.tsx';
import { Celebration } from './celebration.tsx';
import { litRow } from './paytable-rows.tsx';
import { ProofLine, RecentResults, ResultLine, ResultModal } from './result.tsx';
import { type ShownRound, slotHistory } from './slot-api.ts';
import { HEAD_BUTTON, playResult, playStops, playTurning, SoundButton } from './sound.tsx';
import { type SpinState, useSpin } from './use-spin.ts';
import { sizeOf } from './win-size.ts';

/** Shown before the first round; the specification's 1,1,1 would be the top award. */
const FIRST_REELS: Reels = [1, 2, 3];
/** Disables staking. */
const BUSY: ReadonlySet<SpinState['phase']> = new Set(['spinning', 'landing', 'unconfirmed']);
const NONE_WIN = [false, false, false] as const;

/** The machine of a signed-in player. */
export function Machine({ wallet, config }: { wallet: string; config: GameConfig | undefined }) {
  const { state, spin, discard, landed } = useSpin(wallet);
  const { data: history } = useQuery(slotHistory);
  useQuery(seeds);
  const held = useStore(balances)?.points ?? null;
  const bet = useBet(config, held);
  const isBusy = BUSY.has(state.phase);
  const isOnline = useStore(online);
  const isClosed = Boolean(useClosed(config)) && !isBusy;
  const round = 'round' in state ? state.round : history?.[0];
  const { result, celebration } = useResult(state);
  const won = state.phase === 'settled' && state.round.win_amount > 0 ? state.round : null;
  useSounds(state);
  useEffect(() => {
    litRow.set(won?.row ?? null);
    return () => litRow.set(null);
  }, [won]);
  return (
    <Cabinet
      symbols={round?.symbols[0] ?? FIRST_REELS}
      moving={state.phase === 'spinning' || state.phase === 'landing' ? state.phase : null}
      winning={'round' in state ? winsOf(state.round) : NONE_WIN}
      onLanded={landed}
      held={held}
      closed={isClosed}
      hidden={isBusy && 'round' in state ? state.round.round_id : null}
      won={won}
    >
      {celebration}
      {!isClosed && (
        <div className="result-area relative">
          <ResultLine
            state={state}
            onDiscard={discard}
            onAgain={isOnline ? (again) => held !== null && again <= held && spin(again) : null}
          />
          {result}
        </div>
      )}
      <BetControls
        bet={bet}
        isBusy={isBusy}
        isUnconfirmed={state.phase === 'unconfirmed'}
        held={held}
        config={config}
        onSpin={spin}
      />
      <ProofLine
        round={isBusy ? undefined : round}
        committed={state.phase === 'settled' ? state.committed : null}
      />
      <Spoken state={state} />
    </Cabinet>
  );
}

/** The machine for a visitor, with a connect button. */
export function VisitorMachine({ config }: { config: GameConfig | undefined }) {
  const { t } = useTranslation();
  const closed = useClosed(config);
  return (
    <Cabinet
      symbols={FIRST_REELS}
      moving={null}
      winning={NONE_WIN}
      onLanded={() => undefined}
      closed={Boolean(closed)}
    >
      {closed && <ClosedPanel closed={closed} />}
      <div className="flex flex-wrap items-center justify-between gap-4 pt-5 pb-1">
        <p className="text-fg-2">{t('slot.visitor')}</p>
        <ConnectButton className="max-sm:w-full" />
      </div>
    </Cabinet>
  );
}

function Cabinet(props: {
  symbols: readonly number[];
  moving: 'spinning' | 'landing' | null;
  winning: readonly boolean[];
  onLanded(): void;
  /** Points of the player; null while unknown or without a session. */
  held?: number | null;
  /** The round whose reels still turn: not listed yet. Undefined for a visitor, who has no rounds. */
  hidden?: string | null;
  /** A win that is shown. */
  won?: ShownRound | null;
  closed?: boolean;
  children: ReactNode;
}) {
  const { t } = useTranslation();
  const isReduced = useReducedMotion();
  const multiple = props.won && paidBy(props.won);
  const symbols = isReels(props.symbols) ? props.symbols : FIRST_REELS;
  const names = symbols.map((id) => t(symbolKey(id))).join(', ');
  return (
    <section className="cabinet" aria-labelledby="slot-title">
      {/* The title has a line of its own where the buttons leave too little room. */}
      <header className="machine-head mb-3 grid grid-cols-[1fr_auto] items-start gap-x-3 gap-y-0.5 md:mb-5">
        <p className="pt-1 font-semibold text-fg-3 text-xs uppercase tracking-[0.08em]">
          {useGameTexts()('slot-machine').name}
        </p>
        <h1 id="slot-title" className="col-span-full text-xl md:col-[1] md:text-2xl">
          {t('slot.title')}
        </h1>
        <div className="col-start-2 row-start-1 flex shrink-0 flex-col items-end gap-2 md:row-[span_2]">
          <div className="flex items-center gap-2">
            {props.hidden !== undefined && <SoundButton />}
            <Link to={paths.fairness} className={HEAD_BUTTON}>
              <FairnessIcon />
              {t('home.fair.title')}
            </Link>
          </div>
          {typeof props.held === 'number' && (
            <p className="text-fg-3 text-xs max-md:hidden">
              {t('header.points')}{' '}
              <span className="font-medium font-mono text-base text-fg">{points(props.held)}</span>
            </p>
          )}
        </div>
      </header>
      <div
        className="reels-frame"
        data-size={multiple && sizeOf(multiple, props.won?.row)}
        data-multiple={multiple}
        data-closed={props.closed}
      >
        <SlotReels
          symbols={symbols}
          spinning={props.moving === 'spinning'}
          winningReels={props.winning}
          label={t(props.moving ? 'slot.reelsTurning' : 'slot.reels', { names })}
          reducedMotion={isReduced}
          onSettled={props.onLanded}
        />
        {props.hidden !== undefined && <RecentResults hidden={props.hidden} />}
      </div>
      {props.children}
    </section>
  );
}

/** The result modal with its celebration. */
function useResult(state: SpinState): { result: ReactNode; celebration: ReactNode } {
  const [closed, setClosed] = useState<string | null>(null);
  if (state.phase !== 'settled' || closed === state.round.round_id) {
    return { result: null, celebration: null };
  }
  const { round_id: id, win_amount: win, bet_amount: stake, row } = state.round;
  return {
    result: <ResultModal key={id} round={state.round} onClose={() => setClosed(id)} />,
    celebration: win > 0 && <Celebration key={id} stake={stake} win={win} row={row} />,
  };
}

/** Ticks while the reels turn, a stop of each reel, and the result. */
function useSounds(state: SpinState): void {
  const isMoving = state.phase === 'spinning' || state.phase === 'landing';
  const shown = 'round' in state ? state : null;
  const reels = shown?.phase === 'landing' ? shown.round.symbols[0] : undefined;
  const won = shown?.phase === 'settled' ? paidBy(shown.round) : 0;
  const { round_id: id, row } = shown?.round ?? {};
  useEffect(() => (isMoving ? playTurning() : undefined), [isMoving]);
  useEffect(() => {
    if (reels && isReels(reels)) playStops(reels);
  }, [reels]);
  useEffect(() => {
    if (id !== undefined && won > 0) playResult(won, row);
  }, [id, won, row]);
}

/** Announces the result of a round to screen readers. */
function Spoken({ state }: { state: SpinState }) {
  const { t } = useTranslation();
  const held = useStore(balances);
  const balance = held ? points(held.points) : '';
  let text = '';
  if (state.phase === 'settled') {
    const win = points(state.round.win_amount);
    text =
      state.round.win_amount > 0
        ? t('slot.spoken.win', { row: t(rowKey(state.round.row)), win, balance })
        : t('slot.spoken.none', { balance });
  }
  return (
    <p className="sr-only" role="status" aria-live="polite">
      {text}
    </p>
  );
}

const paidBy = ({ win_amount: win, bet_amount: bet }: ShownRound) => multipleOf(win, bet);

function winsOf({ symbols }: ShownRound): readonly boolean[] {
  const reels = symbols[0];
  return reels && isReels(reels) ? winningReels(reels) : NONE_WIN;
}
