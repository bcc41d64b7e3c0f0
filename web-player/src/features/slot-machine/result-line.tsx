import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { rowKey } from '../../components/row-name.ts';
import { signed } from '../../lib/format.ts';
import { useReducedMotion } from '../../lib/motion.ts';
import type { ShownRound } from './slot-api.ts';
import type { SpinState } from './use-spin.ts';

const COUNT_UP_MS = 600;

/** The one line under the reels: what to do, that it turns, what came of it, or what went wrong. */
export function ResultLine({ state }: { state: SpinState }) {
  const { t } = useTranslation();
  return (
    <div className="result-line" data-phase={state.phase}>
      {state.phase === 'idle' && <p className="text-fg-2">{t('slot.ready')}</p>}
      {(state.phase === 'spinning' || state.phase === 'landing') && (
        <p className="text-fg-2">{t('slot.turning')}</p>
      )}
      {state.phase === 'settled' && <Settled round={state.round} />}
      {state.phase === 'failed' && (
        <p className="text-base text-coral" role="alert">
          {t(state.fault.key, { ...state.fault })}
          {state.uncertain && (
            <span className="block text-fg-2 text-sm">{t('slot.uncertain')}</span>
          )}
        </p>
      )}
    </div>
  );
}

function Settled({ round }: { round: ShownRound }) {
  const { t } = useTranslation();
  const { win_amount: win, bet_amount: bet, row } = round;
  if (win <= 0) return <p>{t('slot.tryAgain')}</p>;
  const isJackpot = row === 'three-comets';
  return (
    <>
      <p className={isJackpot ? 'text-brass' : ''}>
        {t(isJackpot ? 'slot.jackpot' : 'slot.win', { row: t(rowKey(row)) })} <CountUp to={win} />
      </p>
      <span className="multiple">
        {win / bet} × {bet}
      </span>
    </>
  );
}

/** Counts up once; the width is the final one from the start. */
function CountUp({ to }: { to: number }) {
  const isReduced = useReducedMotion();
  const [share, setShare] = useState(isReduced ? 1 : 0);
  useEffect(() => {
    if (isReduced) return;
    const start = performance.now();
    let frame = requestAnimationFrame(function step(now) {
      const part = Math.min(1, (now - start) / COUNT_UP_MS);
      setShare(1 - (1 - part) ** 3);
      if (part < 1) frame = requestAnimationFrame(step);
    });
    return () => cancelAnimationFrame(frame);
  }, [isReduced]);
  return (
    <span className="count-up" data-final={signed(to)}>
      <span aria-hidden={share < 1}>{signed(Math.round(to * share * 100) / 100)}</span>
    </span>
  );
}
