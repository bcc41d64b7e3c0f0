import type { GameConfig } from '@reelbook/contract/player/public';
import type { Reels } from '@reelbook/games/slot-machine/paytable';
import { winningReels } from '@reelbook/games/slot-machine/rules';
import { SlotReels } from '@reelbook/games/slot-machine/view';
import { Button } from '@reelbook/web/components/button';
import { FairnessIcon } from '@reelbook/web/components/icons';
import { points } from '@reelbook/web/format';
import { useReducedMotion } from '@reelbook/web/motion';
import { useStore } from '@reelbook/web/store';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { ClosedPanel } from '../../components/closed-panel.tsx';
import { rowKey, symbolKey } from '../../components/row-name.ts';
import { balances } from '../../lib/balances-store.ts';
import { openConnectDialog } from '../../lib/connect-dialog.ts';
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
import { playResult, SoundButton } from './sound.tsx';
import { type SpinState, useSpin } from './use-spin.ts';
import { type Size, sizeOf } from './win-size.ts';

/** Shown before the first round; the specification's 1,1,1 would be the top award. */
const FIRST_REELS: Reels = [1, 2, 3];
/** Disables staking. */
const BUSY: ReadonlySet<SpinState['phase']> = new Set(['spinning', 'landing', 'unconfirmed']);
const NONE_WIN = [false, false, false] as const;

/** The machine of a signed-in player. */
export function Machine({ wallet, config }: { wallet: string; config: GameConfig | undefined }) {
  const { state, spin, discard, landed } = useSpin(wallet, config);
  const { data: history } = useQuery(slotHistory);
  useQuery(seeds);
  const held = useStore(balances)?.points ?? null;
  const bet = useBet(config, held);
  const isBusy = BUSY.has(state.phase);
  const isOnline = useStore(online);
  const isClosed = Boolean(useClosed(config)) && !isBusy;
  const round = 'round' in state ? state.round : history?.[0];
  const { result, celebration } = useResult(state);
  const paid = state.phase === 'settled' && state.round.win_amount > 0 ? state.round.row : null;
  const settledId = state.phase === 'settled' ? state.round.round_id : null;
  const multiple = 'round' in state ? multipleOf(state.round) : 0;
  useEffect(() => {
    if (settledId !== null) playResult(multiple);
  }, [settledId, multiple]);
  useEffect(() => {
    litRow.set(paid);
    return () => litRow.set(null);
  }, [paid]);
  return (
    <Cabinet
      symbols={round?.symbols[0] ?? FIRST_REELS}
      turning={state.phase === 'spinning'}
      winning={'round' in state ? winsOf(state.round) : NONE_WIN}
      onLanded={landed}
      held={held}
      closed={isClosed}
      hidden={isBusy && 'round' in state ? state.round.round_id : null}
      size={'round' in state ? sizeOf(multipleOf(state.round)) : 'small'}
    >
      {celebration}
      {!isClosed && (
        <div className="result-area">
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
      turning={false}
      winning={NONE_WIN}
      onLanded={() => undefined}
      closed={Boolean(closed)}
    >
      {closed && <ClosedPanel closed={closed} />}
      <div className="flex flex-wrap items-center justify-between gap-4 pt-5 pb-1">
        <p className="text-fg-2">{t('slot.visitor')}</p>
        <Button look="primary" className="max-sm:w-full" onClick={openConnectDialog}>
          {t('connect.button')}
        </Button>
      </div>
    </Cabinet>
  );
}

function Cabinet(props: {
  symbols: readonly number[];
  turning: boolean;
  winning: readonly boolean[];
  onLanded(): void;
  /** Points of the player; null while unknown or without a session. */
  held?: number | null;
  /** The round whose reels still turn: not listed yet. Undefined for a visitor, who has no rounds. */
  hidden?: string | null;
  size?: Size;
  closed?: boolean;
  children: ReactNode;
}) {
  const { t } = useTranslation();
  const isReduced = useReducedMotion();
  const symbols = isReels(props.symbols) ? props.symbols : FIRST_REELS;
  const names = symbols.map((id) => t(symbolKey(id))).join(', ');
  return (
    <section className="cabinet" aria-labelledby="slot-title">
      <header className="machine-head">
        <p className="pt-1 font-semibold text-fg-3 text-xs uppercase tracking-[0.08em]">
          {useGameTexts()('slot-machine').name}
        </p>
        <h1 id="slot-title" className="text-xl md:text-2xl">
          {t('slot.title')}
        </h1>
        <div className="flex shrink-0 flex-col items-end gap-2">
          <div className="flex items-center gap-2">
            {props.hidden !== undefined && <SoundButton />}
            <Link to={paths.fairness} className="fair-link">
              <FairnessIcon />
              {t('slot.fair')}
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
      <div className="reels-frame" data-size={props.size} data-closed={props.closed}>
        <SlotReels
          symbols={symbols}
          spinning={props.turning}
          winningReels={props.winning}
          label={t(props.turning ? 'slot.reelsTurning' : 'slot.reels', { names })}
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
  const { round_id: id, win_amount: win } = state.round;
  return {
    result: <ResultModal key={id} round={state.round} onClose={() => setClosed(id)} />,
    celebration: win > 0 && <Celebration key={id} size={sizeOf(multipleOf(state.round))} />,
  };
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

const multipleOf = ({ win_amount: win, bet_amount: bet }: ShownRound) => win / bet;

function winsOf({ symbols }: ShownRound): readonly boolean[] {
  const reels = symbols[0];
  return reels && isReels(reels) ? winningReels(reels) : NONE_WIN;
}
