import type { GameConfig } from '@reelbook/contract/player/public';
import { MinusIcon, PlusIcon } from '@reelbook/web/components/icons';
import { points } from '@reelbook/web/format';
import { useStore } from '@reelbook/web/store';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { ClosedPanel } from '../../components/closed-panel.tsx';
import { PLAY_BUTTON } from '../../components/unconfirmed-notice.tsx';
import { online } from '../../lib/online.ts';
import { paths } from '../../lib/paths.ts';
import { useClosed } from '../../lib/use-closed.ts';
import { BET_STEP, QUICK_BETS } from './bet.ts';
import type { Bet } from './use-bet.ts';
import { useSpace } from './use-space.ts';

/** More digits than any balance has. */
const TYPED_MAX = 16;

const KEY_STEPS = new Map([
  ['ArrowUp', BET_STEP],
  ['ArrowDown', -BET_STEP],
]);

interface Props {
  bet: Bet;
  isBusy: boolean;
  /** Whether a bet without a response blocks the controls. */
  isUnconfirmed: boolean;
  /** Points of the player; null while unknown. */
  held: number | null;
  config: GameConfig | undefined;
  /** Text keys of another game. */
  words?: typeof WORDS | { go: 'mini.place'; busy: 'mini.phase.ending' };
  onSpin(bet: number): void;
}

const WORDS = { go: 'slot.spin', busy: 'slot.spinning' } as const;

/** Bet stepper, quick bets and SPIN, which alone stakes; all locked while the reels turn. */
export function BetControls(props: Props) {
  const { bet, isBusy, isUnconfirmed, held, config, words = WORDS, onSpin } = props;
  const { t } = useTranslation();
  const faultId = useId();
  const isShort = !isBusy && held !== null && held < bet.amount;
  const busy = isUnconfirmed ? 'mini.phase.unconfirmed' : words.busy;
  const isOnline = useStore(online);
  const label = isBusy ? busy : isShort ? 'slot.insufficient' : words.go;
  const closed = useClosed(config);
  const isOpen = !isBusy && isOnline && config !== undefined && closed === null;
  const canSpin = isOpen && !isShort && held !== null && bet.fault === null;
  const spin = () => {
    if (!isOpen || held === null) return;
    // Not every browser moves the focus from the field when SPIN is pressed.
    const amount = bet.commit();
    if (amount !== null && amount <= held) onSpin(amount);
  };
  useSpace(() => words === WORDS && canSpin && spin());
  if (closed && !isBusy) return <ClosedPanel closed={closed} />;
  return (
    <>
      <form
        className="bet-controls"
        onSubmit={(event) => {
          event.preventDefault();
          bet.commit();
        }}
      >
        <Stepper bet={bet} disabled={isBusy || !config} faultId={faultId} />
        <fieldset className="quick-bets" disabled={isBusy || !config}>
          <legend className="sr-only">{t('slot.quickBets')}</legend>
          {QUICK_BETS.map((amount) => (
            <button
              key={amount}
              type="button"
              className="quick-bet"
              aria-pressed={bet.text === String(amount)}
              disabled={amount > bet.limits.max || amount < bet.limits.min}
              onClick={() => bet.choose(amount)}
            >
              {amount}
            </button>
          ))}
        </fieldset>
        {/* aria-disabled keeps the focus on the button while the reels turn. */}
        <button
          type="button"
          className="spin"
          {...PLAY_BUTTON}
          aria-disabled={!canSpin}
          data-busy={isBusy && !isUnconfirmed}
          onClick={spin}
        >
          {t(isOnline || isBusy ? label : 'live.offline')}
        </button>
      </form>
      {bet.fault && (
        <p id={faultId} role="alert" className="pt-3 text-coral text-sm">
          {t(bet.fault.key, { ...bet.fault })}
        </p>
      )}
      {isShort && !bet.fault && config && <ShortOfPoints bet={bet} held={held} />}
    </>
  );
}

function Stepper(props: { bet: Bet; disabled: boolean; faultId: string }) {
  const { bet, disabled, faultId } = props;
  const { t } = useTranslation();
  const id = useId();
  const { amount, limits, fault } = bet;
  return (
    <div className="stepper" data-disabled={disabled}>
      <button
        type="button"
        aria-label={t('slot.less', { step: BET_STEP })}
        disabled={disabled || amount <= limits.min}
        onClick={() => bet.choose(amount - BET_STEP)}
      >
        <MinusIcon />
      </button>
      <div>
        <label htmlFor={id}>{t('slot.bet')}</label>
        <input
          id={id}
          inputMode="numeric"
          autoComplete="off"
          enterKeyHint="done"
          maxLength={TYPED_MAX}
          disabled={disabled}
          value={bet.text}
          aria-invalid={fault !== null}
          aria-describedby={fault ? faultId : undefined}
          onChange={(event) => bet.type(event.target.value)}
          onBlur={() => bet.commit()}
          onKeyDown={(event) => {
            const step = KEY_STEPS.get(event.key);
            if (step === undefined) return;
            event.preventDefault();
            bet.choose(amount + step);
          }}
        />
      </div>
      <button
        type="button"
        aria-label={t('slot.more', { step: BET_STEP })}
        disabled={disabled || amount >= limits.max}
        onClick={() => bet.choose(amount + BET_STEP)}
      >
        <PlusIcon />
      </button>
    </div>
  );
}

function ShortOfPoints({ bet, held }: { bet: Bet; held: number }) {
  const { t } = useTranslation();
  const { min, max } = bet.limits;
  const canLower = held >= min;
  return (
    <div className="warning" role="alert">
      <p>
        {canLower
          ? t('slot.short', { held: points(held), bet: bet.amount })
          : t('slot.broke', { held: points(held), min })}
      </p>
      {canLower && (
        <button type="button" onClick={() => bet.choose(max)}>
          {t('slot.lower', { bet: max })}
        </button>
      )}
      <Link to={paths.wallet}>{t('slot.toWallet')}</Link>
    </div>
  );
}
