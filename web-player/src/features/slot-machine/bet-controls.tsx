import type { GameConfig } from '@reelbook/contract/player/public';
import { Icon } from '@reelbook/web/components/icons';
import { points } from '@reelbook/web/format';
import { deviceStorage } from '@reelbook/web/storage';
import { useStore } from '@reelbook/web/store';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { ClosedPanel } from '../../components/closed-panel.tsx';
import { PLAY_BUTTON } from '../../components/unconfirmed-notice.tsx';
import { online } from '../../lib/online.ts';
import { paths } from '../../lib/paths.ts';
import { useClosed } from '../../lib/use-closed.ts';

const BET_STEP = 5;
const QUICK_BETS = [1, 5, 10, 25, 50] as const;
/** Used before the configuration is loaded. */
const BET_DEFAULT = 10;

/** The limits of the player's stake, in integer points. */
interface BetLimits {
  min: number;
  /** Never below `min`: with fewer points the bet stays at the minimum, and SPIN shows what is missing. */
  max: number;
}

/** Why the typed bet cannot be staked: a text key with its figures. */
type TypedFault =
  | { key: 'slot.typed.notInteger' }
  | { key: 'slot.typed.overHeld'; held: string }
  | { key: 'slot.error.minimum'; count: number }
  | { key: 'slot.error.maximum'; max: number };

/** The limits by configuration and balance (null: no player is signed in). */
export function betLimits(
  config: { min_bet: number; max_bet: number },
  pointsBalance: number | null,
): BetLimits {
  const held = pointsBalance === null ? config.max_bet : Math.floor(pointsBalance);
  return { min: config.min_bet, max: Math.max(config.min_bet, Math.min(config.max_bet, held)) };
}

/** The nearest bet that is allowed; the minimum if it is not a number. */
export function clampBet(bet: number, { min, max }: BetLimits): number {
  if (!Number.isFinite(bet)) return min;
  return Math.min(max, Math.max(min, Math.floor(bet)));
}

/** The typed bet exactly, or the reason why it cannot be staked; never another amount. */
export function readBet(
  typed: string,
  config: { min_bet: number; max_bet: number },
  held: number | null,
): number | TypedFault {
  if (!/^\s*-?\d+\s*$/.test(typed)) return { key: 'slot.typed.notInteger' };
  const bet = Number(typed);
  if (bet < config.min_bet) return { key: 'slot.error.minimum', count: config.min_bet };
  if (held !== null && bet > held) return { key: 'slot.typed.overHeld', held: points(held) };
  if (bet > config.max_bet) return { key: 'slot.error.maximum', max: config.max_bet };
  return bet;
}

const BET_KEY = 'slot_bet';
const UNKNOWN_LIMITS: BetLimits = { min: 1, max: BET_DEFAULT };

interface Bet {
  amount: number;
  limits: BetLimits;
  /** The text of the field: the amount, or what was typed since. */
  text: string;
  /** Why the typed text cannot be staked; null until `commit` has checked it. */
  fault: TypedFault | null;
  type(text: string): void;
  /** Sets the bet to the typed amount and returns it; null when it cannot be staked. */
  commit(): number | null;
  choose(amount: number): void;
}

/** The current bet: the last choice on this device, else the configured minimum. */
export function useBet(config: GameConfig | undefined, held: number | null, game?: string): Bet {
  const key = game === undefined ? BET_KEY : `${BET_KEY}_${game}`;
  const [chosen, setChosen] = useState(() => Number(deviceStorage.get(key)) || null);
  const [typed, setTyped] = useState<{ text: string; isCommitted: boolean } | null>(null);
  const limits = config ? betLimits(config, held) : UNKNOWN_LIMITS;
  const wanted = chosen ?? config?.min_bet ?? BET_DEFAULT;
  // The choice is limited by the rules only: with too few points it stays, and the page shows what is missing.
  const amount = config ? clampBet(wanted, betLimits(config, null)) : wanted;
  const read = typed && config ? readBet(typed.text, config, held) : amount;
  const set = (bet: number) => {
    setTyped(null);
    setChosen(bet);
    deviceStorage.set(key, String(bet));
  };
  return {
    amount,
    limits,
    text: typed?.text ?? String(amount),
    fault: typed?.isCommitted && typeof read !== 'number' ? read : null,
    type: (text) => setTyped({ text, isCommitted: false }),
    commit() {
      if (!typed) return amount;
      if (typeof read !== 'number') {
        setTyped({ ...typed, isCommitted: true });
        return null;
      }
      set(read);
      return read;
    },
    choose: (next) => set(clampBet(next, limits)),
  };
}

/** Elements for which Space has another meaning. */
const TAKEN = 'input, textarea, select, button, a, summary, [contenteditable], [role="dialog"]';

/**
 * Calls `onSpace` when Space was pressed and released outside of controls and dialogs. A key that is held down counts once.
 */
function useSpace(onSpace: () => void): void {
  const act = useRef(onSpace);
  act.current = onSpace;
  useEffect(() => {
    let isPressed = false;
    const isFree = ({ target, code, ctrlKey, altKey, metaKey }: KeyboardEvent) =>
      code === 'Space' &&
      !(ctrlKey || altKey || metaKey) &&
      !(target instanceof Element && target.closest(TAKEN)) &&
      document.querySelector('dialog[open], [aria-modal="true"]') === null;
    const press = (event: KeyboardEvent) => {
      if (!isFree(event)) return;
      // Without this, Space scrolls the page.
      event.preventDefault();
      isPressed = true;
    };
    const release = (event: KeyboardEvent) => {
      if (isPressed && isFree(event)) act.current();
      if (event.code === 'Space') isPressed = false;
    };
    document.addEventListener('keydown', press);
    document.addEventListener('keyup', release);
    return () => {
      document.removeEventListener('keydown', press);
      document.removeEventListener('keyup', release);
    };
  }, []);
}

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
  const spinButton = useRef<HTMLButtonElement>(null);
  /** After a bet was chosen with a pointer, Space spins. With a keyboard, the focus stays. */
  const choose: Choose = (amount, { detail }) => {
    bet.choose(amount);
    if (words === WORDS && detail > 0) spinButton.current?.focus({ preventScroll: true });
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
        <Stepper bet={bet} disabled={isBusy || !config} faultId={faultId} choose={choose} />
        <fieldset className="quick-bets" disabled={isBusy || !config}>
          <legend className="sr-only">{t('slot.quickBets')}</legend>
          {QUICK_BETS.map((amount) => (
            <button
              key={amount}
              type="button"
              className="quick-bet min-h-11 rounded-[12px] border border-line bg-ink-1 font-medium font-mono text-[15px] text-fg-2 leading-none transition-[background-color,border-color] duration-120 ease-out enabled:hover:border-line-strong enabled:hover:bg-ink-3 disabled:cursor-not-allowed disabled:opacity-45 aria-pressed:border-brass aria-pressed:bg-brass-soft aria-pressed:text-brass"
              aria-pressed={bet.text === String(amount)}
              disabled={amount > bet.limits.max || amount < bet.limits.min}
              onClick={(event) => choose(amount, event)}
            >
              {amount}
            </button>
          ))}
        </fieldset>
        {/* aria-disabled keeps the focus on the button while the reels turn. */}
        <button
          ref={spinButton}
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

const STEP =
  'grid place-items-center rounded-md text-fg-2 enabled:hover:bg-ink-3 enabled:hover:text-fg disabled:cursor-not-allowed disabled:text-line-strong';

type Choose = (amount: number, event: React.MouseEvent) => void;

function Stepper(props: { bet: Bet; disabled: boolean; faultId: string; choose: Choose }) {
  const { bet, disabled, faultId, choose } = props;
  const { t } = useTranslation();
  const id = useId();
  const { amount, limits, fault } = bet;
  return (
    <div
      className="stepper grid h-14 grid-cols-[52px_1fr_52px] rounded-md border border-line-strong bg-ink-2 focus-within:border-brass has-aria-invalid:border-coral data-[disabled=true]:text-fg-3"
      data-disabled={disabled}
    >
      <button
        type="button"
        className={STEP}
        aria-label={t('slot.less', { step: BET_STEP })}
        disabled={disabled || amount <= limits.min}
        onClick={(event) => choose(amount - BET_STEP, event)}
      >
        <Icon size={16}>
          <path d="M4 10h12" />
        </Icon>
      </button>
      <div className="relative min-w-0">
        <label
          htmlFor={id}
          className="pointer-events-none absolute inset-x-0 top-1.5 text-center text-[12px] text-fg-3 leading-4"
        >
          {t('slot.bet')}
        </label>
        <input
          id={id}
          className="size-full bg-transparent pt-[18px] text-center font-medium font-mono text-[17px]! leading-[1.2] focus-visible:outline-none"
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
        className={STEP}
        aria-label={t('slot.more', { step: BET_STEP })}
        disabled={disabled || amount >= limits.max}
        onClick={(event) => choose(amount + BET_STEP, event)}
      >
        <Icon size={16}>
          <path d="M4 10h12M10 4v12" />
        </Icon>
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
