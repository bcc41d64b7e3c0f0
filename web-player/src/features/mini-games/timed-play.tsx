import type { GameConfig } from '@reelbook/contract/player/public';
import type { FieldView } from '@reelbook/games/face';
import { isTransient } from '@reelbook/web/api-errors';
import { toast } from '@reelbook/web/toasts';
import { useQuery } from '@tanstack/react-query';
import { type CSSProperties, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useGameTexts } from '../../lib/game-texts.ts';
import { langOf } from '../../lib/language.ts';
import { configOf, gameConfigs } from '../../lib/queries.ts';
import { refusalText } from '../../lib/refusal-text.ts';
import { Celebration } from '../slot-machine/celebration.tsx';
import { playResult } from '../slot-machine/sound.ts';
import { sizeOf } from '../slot-machine/win-size.ts';
import { GameOdds } from './game-odds.tsx';
import { rowsAt } from './rows.ts';
import { TimedFigures } from './timed-figures.tsx';
import { TimedStatus } from './timed-status.tsx';
import { type Moment, useTick } from './use-tick.ts';
import { type RunningState, type TimedGame, useTimedRound } from './use-timed-round.ts';

/** A timed game: the field with its figures, fee and points next to it, the odds below. */
export function TimedPlay({ game }: { game: TimedGame }) {
  const { t, i18n } = useTranslation();
  const { name } = useGameTexts()(game.id);
  const { data } = useQuery(gameConfigs);
  const config = configOf(data, game.id);
  const { state, start, discard, end } = useTimedRound(game, (fault, refusal) => {
    const lang = langOf(i18n.language === 'zh' ? 'zh' : 'en');
    // What the rules refuse is not to be tried again.
    const isRefused = refusal?.data?.error !== undefined && !isTransient(refusal);
    const why = refusal ? refusalText(refusal, t) : '';
    toast(isRefused ? why : `${t(fault)} ${why}`.trim(), 'bad', lang);
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
  const multiple = useEndingSound(state);
  const view = viewOf(state, moment);
  const phase = view.ending ? 'over' : running ? 'running' : 'idle';
  const rows = rowsNow(game, config, state, view);
  const style = {
    '--aspect': game.aspect,
    '--tick': `${running?.tickMs ?? 1_000}ms`,
    '--into': `${-Math.round(moment.intoMs)}ms`,
  } as CSSProperties;
  return (
    <div className="mini-game">
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
            <svg viewBox="0 0 240 96" aria-hidden="true" className="mini-idle">
              <game.Picture />
            </svg>
          )}
        </div>
        <TimedFigures game={game} tick={view.tick} rows={rows} phase={phase} />
        {view.ending === 'won' && <Celebration key={idOf(state)} size={sizeOf(multiple)} />}
      </section>
      <div className="mini-side">
        <TimedStatus
          game={game}
          config={config}
          state={state}
          onStart={start}
          onDiscard={discard}
          onSend={() => running && void end(running)}
        />
        <GameOdds game={game.id} rows={rows} />
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

/** Plays the sound of a result once; returns its multiple of the fee. */
function useEndingSound(state: RunningState): number {
  const id = idOf(state);
  const multiple = state.phase === 'over' ? state.result.reward / state.result.bet_amount : 0;
  useEffect(() => {
    if (id !== null) playResult(multiple);
  }, [id, multiple]);
  return multiple;
}

const idOf = (state: RunningState) => (state.phase === 'over' ? state.result.round_id : null);
