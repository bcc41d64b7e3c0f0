import { SlotSymbol } from '@reelbook/games/slot-machine/symbols';
import { multipleOf, signed } from '@reelbook/web/format';
import { useReducedMotion } from '@reelbook/web/motion';
import { type CSSProperties, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Size, sizeOf } from './win-size.ts';

const FIREWORKS = 8;
const FIREWORKS_MS = 4_000;
const SPARKS: Readonly<Record<Size, number>> = { small: 6, medium: 10, large: 14, jackpot: 18 };
const COINS = 20;
const COIN_ID = 4;
const COIN_PX = 32;

/**
 * Eight fireworks, larger for a larger win; for a jackpot also a panel over the complete cabinet and twenty falling coins. It takes no
 * press. With reduced motion only the panel is shown, and it does not move. The reels celebrate by their styles.
 */
export function Celebration({ stake, win, row }: { stake: number; win: number; row?: string }) {
  const isReduced = useReducedMotion();
  const [over, setOver] = useState(false);
  useEffect(() => {
    const ending = setTimeout(() => setOver(true), FIREWORKS_MS);
    return () => clearTimeout(ending);
  }, []);
  const size = sizeOf(multipleOf(win, stake), row);
  if (over || (isReduced && size !== 'jackpot')) return null;
  return (
    <div className="celebration" data-size={size} aria-hidden="true">
      {size === 'jackpot' && <Jackpot stake={stake} win={win} />}
      {!isReduced && <Fireworks size={size} />}
    </div>
  );
}

const COMETS = [0, 1, 2] as const;
const COMET_ID = 1;
const COMET_PX = 72;

function Jackpot({ stake, win }: { stake: number; win: number }) {
  const { t } = useTranslation();
  return (
    <div className="jackpot">
      <p className="jackpot-comets">
        {COMETS.map((place) => (
          <SlotSymbol key={place} id={COMET_ID} size={COMET_PX} />
        ))}
      </p>
      <p className="font-extrabold font-sans text-[clamp(40px,9vw,76px)] leading-[1.15] tracking-[-0.02em]">
        {t('result.jackpot')}
      </p>
      <p className="text-[clamp(26px,6vw,44px)]">
        <CountUp from={stake} to={win} />
      </p>
      <p>
        {multipleOf(win, stake)} × {stake}
      </p>
    </div>
  );
}

function Fireworks({ size }: { size: Size }) {
  return (
    <>
      {Array.from({ length: FIREWORKS }, (_, burst) => (
        <span key={burst} className="firework" style={placeOf(burst)}>
          {Array.from({ length: SPARKS[size] }, (_, spark) => (
            <i
              key={spark}
              style={{ '--turn': `${(spark * 360) / SPARKS[size]}deg` } as CSSProperties}
            />
          ))}
        </span>
      ))}
      {size === 'jackpot' &&
        Array.from({ length: COINS }, (_, coin) => (
          <span key={coin} className="falling-coin" style={fallOf(coin)}>
            <SlotSymbol id={COIN_ID} size={COIN_PX} />
          </span>
        ))}
    </>
  );
}

/** Spread without randomness: the golden ratio keeps neighbours apart. */
const spread = (index: number) => (index * 0.618034) % 1;

function placeOf(burst: number): CSSProperties {
  return {
    left: `${8 + 84 * spread(burst + 1)}%`,
    top: `${10 + 45 * spread(3 * burst + 2)}%`,
    '--wait': `${(burst * 400) / 1000}s`,
    '--spark': ['var(--brass)', 'var(--mint)', 'var(--sky)'][burst % 3],
  } as CSSProperties;
}

function fallOf(coin: number): CSSProperties {
  return {
    left: `${2 + 94 * spread(coin + 1)}%`,
    '--wait': `${(1.6 * spread(7 * coin + 1)).toFixed(2)}s`,
    '--spin': `${coin % 2 === 0 ? 540 : -540}deg`,
  } as CSSProperties;
}

const COUNT_UP_MS = 600;

/** Counts up to an amount; the width is the final one from the start. */
export function CountUp({ from = 0, to }: { from?: number; to: number }) {
  const isReduced = useReducedMotion();
  const [share, setShare] = useState(isReduced ? 1 : 0);
  useEffect(() => {
    if (isReduced) return;
    let start: number | null = null;
    let frame = requestAnimationFrame(function step(now) {
      // The frame time may precede the request for the frame, so time is measured from the first frame.
      start ??= now;
      const part = Math.min(1, (now - start) / COUNT_UP_MS);
      setShare(1 - (1 - part) ** 3);
      if (part < 1) frame = requestAnimationFrame(step);
    });
    return () => cancelAnimationFrame(frame);
  }, [isReduced]);
  const shown = isReduced ? 1 : share;
  return (
    <span
      className="count-up inline-grid font-medium font-mono text-mint *:[grid-area:1/1] after:invisible after:content-[attr(data-final)] after:[grid-area:1/1]"
      data-final={signed(to)}
    >
      <span aria-hidden={shown < 1}>
        {signed(Math.round((from + (to - from) * shown) * 100) / 100)}
      </span>
    </span>
  );
}
