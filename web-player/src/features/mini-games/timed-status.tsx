import type { GameConfig } from '@reelbook/contract/player/public';
import { Button } from '@reelbook/web/components/button';
import { Line } from '@reelbook/web/components/card';
import { formatInteger, points } from '@reelbook/web/format';
import { useStore } from '@reelbook/web/store';
import { toast } from '@reelbook/web/toasts';
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
import { useClosed } from '../../lib/use-closed.ts';
import { CountUp } from '../slot-machine/count-up.tsx';
import { numberIn } from './rows.ts';
import type { RunningState, TimedGame } from './use-timed-round.ts';

/** Fee and points, the result, and the current button. */
export function TimedStatus(props: {
  game: TimedGame;
  config: GameConfig | undefined;
  state: RunningState;
  onStart(fee: number): void;
  onDiscard(): Promise<void>;
  onSend(): void;
}) {
  const { game, config, state, onStart, onDiscard, onSend } = props;
  const { t, i18n } = useTranslation();
  const held = useStore(balances)?.points ?? null;
  const fee = config?.timed?.fee;
  const isShort = held !== null && fee !== undefined && held < fee;
  const isBusy = state.phase !== 'idle' && state.phase !== 'over';
  const closed = useClosed(config);
  const isOnline = useStore(online);
  const start = () => {
    if (isBusy || !isOnline) return;
    if (isShort) toast(t('mini.fault.insufficient'), 'bad', langOf(i18n.language as 'zh'));
    else if (fee !== undefined) onStart(fee);
  };
  return (
    <section className="mini-status">
      <dl>
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
          {t(isOnline || isBusy ? pressOf(state) : 'live.offline')}
        </Button>
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
    <div className="mini-outcome" data-won={isWon} data-phase={state.phase}>
      {isIdle(state) && <p className="text-fg-2 text-sm">{t('mini.ready')}</p>}
      {'running' in state && <p className="text-fg-2 text-sm">{t('mini.runningText')}</p>}
      <div role="alert" className="empty:hidden">
        {state.phase === 'over' && (
          <>
            <p className="mini-result">
              {t(isWon ? 'mini.won' : 'mini.lost')} {isWon && <CountUp to={state.result.reward} />}
            </p>
            <p className="text-fg-2 text-sm">
              <Reason {...props} state={state} />
            </p>
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
  if (reward > 0) return `${fill(row, game.count(state.last))} · ${reward / fee} × ${fee}`;
  if (lost && game.isVoid?.(state.last)) return lost;
  const first = config?.paytable.at(-1);
  if (!first) return t('mini.lostText');
  const reached = fill(row, game.count(state.last));
  return t('mini.firstRow', { reached, row: fill(row, numberIn(first.row)) });
}
