import type { Tick } from '@reelbook/games/face';
import { langOf } from '@reelbook/web/language';
import { toast } from '@reelbook/web/toasts';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useGameTexts } from '../../lib/game-texts.ts';
import { GameOdds } from './game-odds.tsx';
import { TimedStatus } from './timed-status.tsx';
import {
  type Running,
  type RunningState,
  type TimedGame,
  useTimedRound,
} from './use-timed-round.ts';

/** A timed game: the field, fee and points next to it, the odds below. */
export function TimedPlay({ game }: { game: TimedGame }) {
  const { t, i18n } = useTranslation();
  const textsOf = useGameTexts();
  const { state, start, discard, end } = useTimedRound(game, (fault, why) => {
    const lang = langOf(i18n.language === 'zh' ? 'zh' : 'en');
    toast(t(fault), 'bad', lang);
    if (why) toast(why, 'bad', 'en');
  });
  const running = 'running' in state ? state.running : null;
  const count = useTick(running);
  useEffect(() => {
    if (state.phase === 'running' && count >= state.running.ticks.length) void end(state.running);
  }, [state, count, end]);
  const shown = tickShown(state, count);
  return (
    <div className="mini-game">
      <div className="mini-side">
        <section className="cabinet grid place-items-center">
          <div className="mini-field" style={{ '--aspect': game.aspect } as React.CSSProperties}>
            {game.draw(shown, t('mini.field', { game: textsOf(game.id).name }))}
          </div>
        </section>
        <p className="order-1 max-w-[720px] text-fg-2 text-sm">{t('mini.how')}</p>
      </div>
      <div className="mini-side">
        <TimedStatus
          game={game}
          state={state}
          shown={shown}
          onStart={start}
          onDiscard={discard}
          onSend={() => running && void end(running)}
        />
        <GameOdds game={game.id} className="order-2" />
      </div>
    </div>
  );
}

function tickShown(state: RunningState, count: number): Tick | null {
  if (state.phase === 'over') return state.last;
  if (!('running' in state)) return null;
  const { ticks } = state.running;
  return ticks[Math.min(count, ticks.length) - 1] ?? null;
}

/** Ticks since the start of the round. */
function useTick(running: Running | null): number {
  const [nowMs, setNowMs] = useState(() => performance.now());
  useEffect(() => {
    if (!running) return;
    setNowMs(performance.now());
    const ticking = setInterval(() => setNowMs(performance.now()), Math.min(running.tickMs, 250));
    return () => clearInterval(ticking);
  }, [running]);
  return running ? Math.floor((nowMs - running.beganMs) / running.tickMs) : 0;
}
