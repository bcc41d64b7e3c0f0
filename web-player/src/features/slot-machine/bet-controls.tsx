import type { SlotConfig } from '@reelbook/contract/schemas/slot';
import { MinusIcon, PlusIcon } from '@reelbook/web/components/icons';
import { points } from '@reelbook/web/format';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { paths } from '../../lib/paths.ts';
import { BET_STEP, QUICK_BETS } from './bet.ts';
import type { Bet } from './use-bet.ts';

const KEY_STEPS = new Map([
  ['ArrowUp', BET_STEP],
  ['ArrowDown', -BET_STEP],
]);

interface Props {
  bet: Bet;
  isBusy: boolean;
  /** Points the player has; null while unknown. */
  held: number | null;
  config: SlotConfig | undefined;
  onSpin(bet: number): void;
}

/** Bet stepper, quick bets and SPIN; all locked while the reels turn. */
export function BetControls({ bet, isBusy, held, config, onSpin }: Props) {
  const { t } = useTranslation();
  const isShort = !isBusy && held !== null && held < bet.amount;
  const label = isBusy ? 'slot.spinning' : isShort ? 'slot.insufficient' : 'slot.spin';
  const canSpin = !isBusy && !isShort && held !== null && config?.enabled === true;
  return (
    <>
      <form
        className="bet-controls"
        onSubmit={(event) => {
          event.preventDefault();
          if (canSpin) onSpin(bet.amount);
        }}
      >
        <Stepper bet={bet} disabled={isBusy || !config} />
        <fieldset className="quick-bets" disabled={isBusy || !config}>
          <legend className="sr-only">{t('slot.quickBets')}</legend>
          {QUICK_BETS.map((amount) => (
            <button
              key={amount}
              type="button"
              className="quick-bet"
              aria-pressed={bet.amount === amount}
              disabled={amount > bet.limits.max || amount < bet.limits.min}
              onClick={() => bet.choose(amount)}
            >
              {amount}
            </button>
          ))}
        </fieldset>
        {/* aria-disabled keeps the focus on the button while the reels turn. */}
        <button type="submit" className="spin" aria-disabled={!canSpin} data-busy={isBusy}>
          {t(label)}
        </button>
      </form>
      {isShort && config && <ShortOfPoints bet={bet} held={held} />}
      {config?.enabled === false && <p className="pt-3 text-fg-2 text-sm">{t('slot.closed')}</p>}
    </>
  );
}

function Stepper({ bet, disabled }: { bet: Bet; disabled: boolean }) {
  const { t } = useTranslation();
  const id = useId();
  const [draft, setDraft] = useState<string | null>(null);
  const { amount, limits } = bet;
  const commit = () => {
    if (draft !== null) bet.choose(Number.parseInt(draft, 10));
    setDraft(null);
  };
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
          maxLength={5}
          disabled={disabled}
          value={draft ?? String(amount)}
          onChange={(event) => setDraft(event.target.value.replace(/\D/g, ''))}
          onBlur={commit}
          onKeyDown={(event) => {
            if (event.key === 'Enter') commit();
            const step = KEY_STEPS.get(event.key);
            if (step === undefined) return;
            event.preventDefault();
            setDraft(null);
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

/** First the fact, then the way out. */
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
