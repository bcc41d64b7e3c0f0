import type { Tick } from '@reelbook/games/face';
import { Button } from '@reelbook/web/components/button';
import { Line } from '@reelbook/web/components/card';
import { formatInteger, points, signed } from '@reelbook/web/format';
import { langOf } from '@reelbook/web/language';
import { useStore } from '@reelbook/web/store';
import { toast } from '@reelbook/web/toasts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { PositionChip } from '../../components/position-chip.tsx';
import { UnconfirmedNotice } from '../../components/unconfirmed-notice.tsx';
import { balances } from '../../lib/balances-store.ts';
import { useGameTexts } from '../../lib/game-texts.ts';
import { paths } from '../../lib/paths.ts';
import { configOf, gameConfigs } from '../../lib/queries.ts';
import type { RunningState, TimedGame } from './use-timed-round.ts';

/** Until the configuration is loaded. */
const FEE_DEFAULT = 10;

/** Fee, points and figures next to the field, and the current button. */
export function TimedStatus(props: {
  game: TimedGame;
  state: RunningState;
  shown: Tick | null;
  onStart(fee: number): void;
  onDiscard(): Promise<void>;
  onSend(): void;
}) {
  const { game, state, shown, onStart, onDiscard, onSend } = props;
  const { t, i18n } = useTranslation();
  const textsOf = useGameTexts();
  const held = useStore(balances)?.points ?? null;
  const { data } = useQuery(gameConfigs);
  const config = configOf(data, game.id);
  const fee = config?.timed?.fee ?? FEE_DEFAULT;
  const isShort = held !== null && held < fee;
  const isBusy = state.phase !== 'idle' && state.phase !== 'over';
  const start = () => {
    if (isShort) toast(t('mini.fault.insufficient'), 'bad', langOf(i18n.language as 'zh'));
    else onStart(fee);
  };
  return (
    <section className="rounded-lg border border-line bg-ink-1 px-5 py-4">
      <dl className="mini-figures">
        <Line label={t('mini.fee')}>
          {t('games.points', { count: fee, amount: formatInteger(fee) })}
        </Line>
        <Line label={t('mini.held')}>{held === null ? '…' : points(held)}</Line>
        {game.figures(shown).map(([key, value]) => (
          <Line key={key} label={textsOf(game.id).figures?.[key] ?? key}>
            {formatInteger(value)}
          </Line>
        ))}
        <Line label={t('mini.time')}>{formatInteger(shown?.tick ?? 0)}</Line>
      </dl>
      <Outcome state={state} />
      {state.phase === 'unconfirmed' && (
        <UnconfirmedNotice stake={state.stake} checked={state.checked} onDiscard={onDiscard} />
      )}
      {state.phase === 'stuck' ? (
        <Button look="primary" className="mt-4 min-h-14 w-full" onClick={onSend}>
          {t('mini.sendAgain')}
        </Button>
      ) : (
        <Button
          look="primary"
          className="mt-4 min-h-14 w-full text-lg"
          disabled={isBusy || config?.enabled === false}
          onClick={start}
        >
          {t(
            isBusy
              ? `mini.phase.${state.phase}`
              : state.phase === 'over'
                ? 'mini.again'
                : 'mini.start',
          )}
        </Button>
      )}
      {isShort && !isBusy && (
        <p className="mt-3 text-brass text-sm" role="alert">
          {t('mini.short', { held: points(held), fee: formatInteger(fee) })}{' '}
          <Link to={paths.wallet} className="font-semibold underline">
            {t('slot.toWallet')}
          </Link>
        </p>
      )}
      {config?.enabled === false && <p className="mt-3 text-fg-2 text-sm">{t('mini.closed')}</p>}
    </section>
  );
}

/** The result of the round, also for screen readers. */
function Outcome({ state }: { state: RunningState }) {
  const { t } = useTranslation();
  const isOver = state.phase === 'over';
  // Empty on a phone: the button stays within reach.
  const isQuiet = state.phase === 'idle' || state.phase === 'loading';
  return (
    <div
      className={`mt-3 ${isQuiet ? 'md:min-h-16' : 'min-h-16'}`}
      role="status"
      aria-live="polite"
    >
      {isOver && (
        <>
          <p className="flex flex-wrap items-center justify-between gap-3 font-semibold text-lg">
            <span>
              {t(state.result.reward > 0 ? 'mini.won' : 'mini.lost')}{' '}
              <span className={`font-mono ${state.result.reward > 0 ? 'text-mint' : 'text-fg-2'}`}>
                {signed(state.result.reward)}
              </span>
            </span>
            <PositionChip position={state.result.position} roundId={state.result.round_id} />
          </p>
          <p className="mt-1 text-fg-2 text-sm">
            {t(state.result.reward > 0 ? 'mini.wonText' : 'mini.lostText')}
          </p>
        </>
      )}
      {state.phase === 'running' && <p className="text-fg-2 text-sm">{t('mini.runningText')}</p>}
    </div>
  );
}
