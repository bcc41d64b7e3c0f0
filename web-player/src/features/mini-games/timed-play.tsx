import type { GameConfig } from '@reelbook/contract/player/public';
import type { FieldView, Tick } from '@reelbook/games/face';
import { TICKS_MAX } from '@reelbook/games/timed';
import { Button } from '@reelbook/web/components/button';
import { Line } from '@reelbook/web/components/card';
import { formatInteger, multipleOf, points } from '@reelbook/web/format';
import { useStore } from '@reelbook/web/store';
import { toast } from '@reelbook/web/toasts';
import { useQuery } from '@tanstack/react-query';
import { type CSSProperties, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { ClosedPanel } from '../../components/closed-panel.tsx';
import { PositionChip } from '../../components/position-chip.tsx';
import { PLAY_BUTTON, UnconfirmedNotice } from '../../components/unconfirmed-notice.tsx';
import { balances } from '../../lib/balances-store.ts';
import { fill, useGameTexts } from '../../lib/game-texts.ts';
import { langOf } from '../../lib/language.ts';
import { online } from '../../lib/online.ts';
import { paths } from '../../lib/paths.ts';
import { configOf, gameConfigs } from '../../lib/queries.ts';
import { refusalText } from '../../lib/refusal-text.ts';
import { useClosed } from '../../lib/use-closed.ts';
import { Celebration, CountUp } from '../slot-machine/celebration.tsx';
import { playResult } from '../slot-machine/sound.tsx';
import { GameOdds, MINI_GAME } from './game-odds.tsx';
import { type Guess, GuessField, useGuess } from './guess.tsx';
import { numberIn, type RowsNow, rowsAt } from './rows.ts';
import {
  isRefused,
  type Running,
  type RunningState,
  type TimedGame,
  useTimedRound,
} from './use-timed-round.ts';

/** The figures of the tick that the field shows, the payout so far and the next row. */
function TimedFigures(props: {
  game: TimedGame;
  tick: Tick | null;
  rows: RowsNow | null;
  phase: 'idle' | 'running' | 'over';
}) {
  const { game, tick, rows, phase } = props;
  const { t } = useTranslation();
  const texts = useGameTexts()(game.id);
  const figures = game
    .figures(tick)
    .map(([key, value]) => [texts.figures?.[key] ?? key, value] as const);
  const next = rows?.next;
  return (
    <dl className="mini-figures">
      {[...figures, [t('mini.time'), tick?.tick ?? 0] as const].map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{phase === 'idle' ? '–' : formatInteger(value)}</dd>
        </div>
      ))}
      <div className="mini-now" data-pays={rows?.reached !== null && rows !== null}>
        <dt>{phase === 'over' ? t('mini.paid') : (texts.now ?? t('mini.now'))}</dt>
        <dd>{rows ? `${rows.reached?.multiple ?? 0}×` : '–'}</dd>
      </div>
      {phase !== 'over' && (
        <div className="mini-next">
          <dt>{t('mini.next')}</dt>
          <dd>
            {next ? (
              <>
                {fill(texts.row ?? '{{n}}', numberIn(next.row))} <b>{next.multiple}×</b>
              </>
            ) : (
              '–'
            )}
          </dd>
        </div>
      )}
    </dl>
  );
}

/** Fee and points, the result, and the current button. */
function TimedStatus(props: {
  game: TimedGame;
  config: GameConfig | undefined;
  state: RunningState;
  guess: Guess;
  onStart(fee: number): void;
  onDiscard(): Promise<void>;
  onSend(): void;
}) {
  const { game, config, state, guess, onStart, onDiscard, onSend } = props;
  const { t, i18n } = useTranslation();
  const { row = '{{n}}' } = useGameTexts()(game.id);
  const held = useStore(balances)?.points ?? null;
  const fee = config?.timed?.fee;
  const isShort = held !== null && fee !== undefined && held < fee;
  const isBusy = state.phase !== 'idle' && state.phase !== 'over';
  const closed = useClosed(config);
  const isOnline = useStore(online);
  const start = () => {
    if (isBusy || !isOnline) return;
    if (isShort) toast(t('mini.fault.insufficient'), 'bad', langOf(i18n.language as 'zh'));
    else if (fee !== undefined) {
      guess.start();
      onStart(fee);
    }
  };
  return (
    <section className="grid gap-3 rounded-lg border border-line bg-ink-1 px-4 pt-3 pb-4">
      {/* On a phone the button comes first. */}
      <dl className="max-md:order-2">
        <Line label={t('mini.fee')}>
          {fee === undefined ? '…' : t('games.points', { count: fee, amount: formatInteger(fee) })}
        </Line>
        <Line label={t('mini.held')}>{held === null ? '…' : points(held)}</Line>
      </dl>
      <Outcome game={game} config={config} state={state} />
      {state.phase === 'unconfirmed' && (
        <UnconfirmedNotice
          kind="bet"
          amount={formatInteger(state.stake.bet)}
          atMs={state.stake.atMs}
          checked={state.checked}
          onDiscard={onDiscard}
        />
      )}
      {closed && !isBusy ? (
        <ClosedPanel closed={closed} />
      ) : state.phase === 'stuck' ? (
        <Button look="primary" className="min-h-14 w-full" onClick={onSend}>
          {t('mini.sendAgain')}
        </Button>
      ) : (
        <Button
          look="primary"
          className="min-h-14 w-full text-lg"
          // Not disabled while busy: the focus stays.
          disabled={fee === undefined || closed === undefined}
          aria-disabled={isBusy || !isOnline}
          {...PLAY_BUTTON}
          onClick={start}
        >
          <span>
            {t(isOnline || isBusy ? pressOf(state) : 'live.offline')}
            {!isBusy && isOnline && fee !== undefined && (
              <small className="block font-normal text-sm">
                {t('games.points', { count: fee, amount: formatInteger(fee) })}
              </small>
            )}
          </span>
        </Button>
      )}
      {!closed && config && (
        <GuessField
          guess={guess}
          rows={config.paytable
            .map((one) => [one.row, fill(row, numberIn(one.row))] as const)
            .reverse()}
          isFree={!isBusy}
        />
      )}
      {isShort && !isBusy && !closed && (
        <p className="text-brass text-sm" role="alert">
          {t('mini.short', { held: points(held), fee: formatInteger(fee) })}{' '}
          <Link to={paths.wallet} className="font-semibold underline">
            {t('slot.toWallet')}
          </Link>
        </p>
      )}
    </section>
  );
}

function pressOf({ phase }: RunningState) {
  if (phase === 'idle') return 'mini.start';
  return phase === 'over' ? 'mini.again' : (`mini.phase.${phase}` as const);
}

type Over = Extract<RunningState, { phase: 'over' }>;

/** The result of the round, as an alert that stays and covers nothing. */
function Outcome(props: { game: TimedGame; config: GameConfig | undefined; state: RunningState }) {
  const { state } = props;
  const { t } = useTranslation();
  const isWon = state.phase === 'over' && state.result.reward > 0;
  return (
    <div
      className="mini-outcome relative flex min-h-14 items-center justify-between gap-3 max-md:data-[phase=idle]:hidden"
      data-phase={state.phase}
    >
      {isIdle(state) && <p className="text-fg-2 text-sm">{t('mini.ready')}</p>}
      {'running' in state && <p className="text-fg-2 text-sm">{t('mini.runningText')}</p>}
      <div role="alert" className="empty:hidden">
        {state.phase === 'over' && (
          <>
            <p
              className={`font-[650] text-[22px] leading-[1.3] tracking-[-0.015em] ${isWon ? 'text-fg' : 'text-fg-2'}`}
            >
              {t(isWon ? 'mini.won' : 'mini.lost')}{' '}
              {isWon && <CountUp from={state.result.bet_amount} to={state.result.reward} />}
            </p>
            <p className="text-fg-2 text-sm">
              <Reason {...props} state={state} />
            </p>
            <Cause {...props} state={state} />
          </>
        )}
      </div>
      {state.phase === 'over' && (
        <PositionChip position={state.result.position} roundId={state.result.round_id} />
      )}
    </div>
  );
}

const isIdle = ({ phase }: RunningState) => phase === 'idle' || phase === 'loading';

/** What was paid, or what the round lacked. */
function Reason(props: { game: TimedGame; config: GameConfig | undefined; state: Over }) {
  const { game, config, state } = props;
  const { t } = useTranslation();
  const { row = '{{n}}', lost } = useGameTexts()(game.id);
  const { reward, bet_amount: fee } = state.result;
  const reached = fill(row, game.count(state.last));
  if (reward > 0) return `${reached} · ${multipleOf(reward, fee)} × ${fee}`;
  if (lost && game.isVoid?.(state.last)) return lost;
  const first = config?.paytable.at(-1);
  if (!first) return t('mini.lostText');
  return t('mini.firstRow', { reached, row: fill(row, numberIn(first.row)) });
}

/** What ended the round: its last tick, which is drawn. */
function Cause({
  config,
  state: { last, rules },
}: {
  config: GameConfig | undefined;
  state: Over;
}) {
  const { t } = useTranslation();
  if (!config?.timed || config.rules !== rules || last.tick === TICKS_MAX) return null;
  const cause = t('mini.cause', { tick: last.tick, end: config.timed.end_percent });
  return <p className="text-fg-2 text-sm">{cause}</p>;
}

/** `count`: ticks since the start of the round. `intoMs`: the time since the last of them. */
export interface Moment {
  readonly count: number;
  readonly intoMs: number;
}

const START: Moment = { count: 0, intoMs: 0 };

/**
 * The moment of a round: it changes once a tick, and is right again as soon as a hidden tab is shown. Between two ticks only
 * styles move.
 */
function useTick(running: Running | null): Moment {
  const [moment, setMoment] = useState<{ of: Running; at: Moment } | null>(null);
  useEffect(() => {
    if (!running) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const follow = () => {
      clearTimeout(timer);
      const at = momentOf(running, performance.now());
      setMoment((now) =>
        now?.of === running && now.at.count === at.count ? now : { of: running, at },
      );
      if (at.count < running.ticks.length) timer = setTimeout(follow, running.tickMs - at.intoMs);
    };
    follow();
    document.addEventListener('visibilitychange', follow);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', follow);
    };
  }, [running]);
  if (!running) return START;
  return moment?.of === running ? moment.at : momentOf(running, performance.now());
}

export function momentOf({ ticks, tickMs, beganMs }: Running, nowMs: number): Moment {
  const elapsedMs = Math.max(0, nowMs - beganMs);
  const count = Math.min(Math.floor(elapsedMs / tickMs), ticks.length);
  return { count, intoMs: count === ticks.length ? 0 : elapsedMs - count * tickMs };
}

/** A timed game: the field with its figures, fee and points next to it, the odds below. */
export function TimedPlay({ game }: { game: TimedGame }) {
  const { t, i18n } = useTranslation();
  const { name } = useGameTexts()(game.id);
  const { data } = useQuery(gameConfigs);
  const config = configOf(data, game.id);
  const { state, start, discard, end } = useTimedRound(game, (fault, refusal) => {
    const lang = langOf(i18n.language === 'zh' ? 'zh' : 'en');
    const why = refusalText(refusal, t);
    toast(isRefused(refusal) ? why : `${t(fault)} ${why}`.trim(), 'bad', lang);
  });
  const running = 'running' in state ? state.running : null;
  const moment = useTick(running);
  useEffect(() => {
    if (state.phase === 'running' && moment.count >= state.running.ticks.length) {
      void end(state.running);
    }
  }, [state, moment, end]);
  const field = useRef<HTMLElement>(null);
  const runningId = running?.roundId;
  useEffect(() => {
    // On a phone, Start is below the field.
    if (runningId !== undefined) field.current?.scrollIntoView({ block: 'nearest' });
  }, [runningId]);
  useEndingSound(state);
  const view = viewOf(state, moment);
  const phase = view.ending ? 'over' : running ? 'running' : 'idle';
  const rows = rowsNow(game, config, state, view);
  const guess = useGuess(game.id, state, rows);
  const style = {
    '--aspect': game.aspect,
    '--tick': `${running?.tickMs ?? 1_000}ms`,
    '--into': `${-Math.round(moment.intoMs)}ms`,
  } as CSSProperties;
  return (
    <div className={MINI_GAME}>
      <section
        ref={field}
        className="cabinet mini-cabinet"
        style={style}
        data-phase={phase}
        data-tall={game.aspect < 1}
        data-ending={view.ending ?? undefined}
        aria-label={name}
      >
        <div className="mini-field">
          {game.draw({ ...view, label: t('mini.field', { game: name }) })}
          {game.Picture && phase === 'idle' && (
            <svg
              viewBox="0 0 240 96"
              aria-hidden="true"
              className="mini-idle absolute inset-0 size-full px-[10%]"
            >
              <game.Picture />
            </svg>
          )}
        </div>
        <TimedFigures game={game} tick={view.tick} rows={rows} phase={phase} />
        {state.phase === 'over' && state.result.reward > 0 && (
          <Celebration
            key={state.result.round_id}
            stake={state.result.bet_amount}
            win={state.result.reward}
          />
        )}
      </section>
      <div className="grid gap-4 md:gap-6">
        <TimedStatus
          game={game}
          config={config}
          state={state}
          guess={guess}
          onStart={start}
          onDiscard={discard}
          onSend={() => running && void end(running)}
        />
        <GameOdds game={game.id} rows={rows} guessed={guess.open} />
      </div>
    </div>
  );
}

function viewOf(state: RunningState, { count }: Moment): FieldView {
  if (state.phase === 'over') {
    const ending = state.result.reward > 0 ? 'won' : 'lost';
    return { tick: state.last, next: null, ending };
  }
  if (!('running' in state)) return { tick: null, next: null, ending: null };
  const { ticks } = state.running;
  return { tick: ticks[count - 1] ?? null, next: ticks[count] ?? null, ending: null };
}

/** The rows of the paytable that this round has reached; null outside of a round, and under rules that the page does not show. */
function rowsNow(
  game: TimedGame,
  config: GameConfig | undefined,
  state: RunningState,
  { tick, ending }: FieldView,
) {
  const rules = state.phase === 'over' ? state.rules : 'running' in state && state.running.rules;
  if (!config || rules !== config.rules) return null;
  const rows = rowsAt(config.paytable, game.count(tick));
  if (ending === null) return rows;
  return { reached: ending === 'won' ? rows.reached : null, next: null };
}

/** Plays the sound of a result once. */
function useEndingSound(state: RunningState): void {
  const id = idOf(state);
  const multiple = state.phase === 'over' ? state.result.reward / state.result.bet_amount : 0;
  useEffect(() => {
    if (id !== null) playResult(multiple);
  }, [id, multiple]);
}

const idOf = (state: RunningState) => (state.phase === 'over' ? state.result.round_id : null);
