import { Button } from '@reelbook/web/components/button';
import { CloseIcon } from '@reelbook/web/components/icons';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { rowKey } from '../../components/row-name.ts';
import { useCountdown } from '../../lib/use-countdown.ts';
import { CountUp } from './count-up.tsx';
import type { ShownRound } from './slot-api.ts';

const WIN_MS = 5_000;
const NO_WIN_MS = 2_500;

/**
 * The result beneath the reels, which stay visible. It closes automatically, unless it is hovered or focused, and never takes the focus: SPIN
 * stays available, and spinning again closes it too.
 */
export function ResultModal({ round, onClose }: { round: ShownRound; onClose(): void }) {
  const { t } = useTranslation();
  const { win_amount: win, bet_amount: bet, row } = round;
  const isWin = win > 0;
  const isJackpot = row === 'three-comets';
  const pause = useCountdown(isWin ? WIN_MS : NO_WIN_MS, onClose);
  useEscape(onClose);
  const title = t(isJackpot ? 'result.jackpot' : isWin ? 'result.win' : 'result.none');
  return (
    <div
      role="dialog"
      aria-label={title}
      className="result-modal"
      data-kind={isJackpot ? 'jackpot' : isWin ? 'win' : 'none'}
      onPointerEnter={() => pause(true)}
      onPointerLeave={() => pause(false)}
      onFocus={() => pause(true)}
      onBlur={() => pause(false)}
    >
      <p className="result-title">
        {title}{' '}
        {isWin && (
          <>
            <CountUp to={win} />
            <span className="result-detail">
              {t(rowKey(row))} · {win / bet} × {bet}
            </span>
          </>
        )}
      </p>
      <Button size="small" onClick={onClose}>
        {t(isWin ? 'result.continue' : 'result.again')}
      </Button>
      <button
        type="button"
        className="result-close"
        aria-label={t('common.close')}
        onClick={onClose}
      >
        <CloseIcon />
      </button>
    </div>
  );
}

function useEscape(onEscape: () => void): void {
  const act = useRef(onEscape);
  act.current = onEscape;
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key === 'Escape') act.current();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}
