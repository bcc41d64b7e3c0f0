import { Button } from '@reelbook/web/components/button';
import { formatInteger } from '@reelbook/web/format';
import { useTranslation } from 'react-i18next';
import { rowKey } from '../../components/row-name.ts';
import { UnconfirmedNotice } from '../../components/unconfirmed-notice.tsx';
import { CountUp } from './count-up.tsx';
import type { ShownRound } from './slot-api.ts';
import type { SpinState } from './use-spin.ts';

/** The line under the reels: instruction, progress, result or error. */
export function ResultLine(props: {
  state: SpinState;
  onDiscard(): Promise<void>;
  /** Plays a bet again that was not placed; null if it is not possible now. */
  onAgain: ((bet: number) => void) | null;
}) {
  const { state, onDiscard, onAgain } = props;
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
        </p>
      )}
      {state.phase === 'unconfirmed' && (
        <UnconfirmedNotice
          kind="bet"
          amount={formatInteger(state.pending.bet)}
          atMs={state.pending.atMs}
          checked={state.checked}
          onDiscard={onDiscard}
        />
      )}
      {state.phase === 'discarded' && (
        <>
          <p className="text-base text-fg-2" role="status">
            {t('unconfirmed.discarded', { bet: formatInteger(state.pending.bet) })}
          </p>
          {onAgain && (
            <Button size="small" onClick={() => onAgain(state.pending.bet)}>
              {t('unconfirmed.again', { bet: formatInteger(state.pending.bet) })}
            </Button>
          )}
        </>
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
