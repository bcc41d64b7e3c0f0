import { type AnimationEvent, type CSSProperties, useState, useSyncExternalStore } from 'react';
import type { RoundViewProps } from '../game.ts';
import { type Reels, SYMBOL_NAMES, type SymbolId } from './paytable.ts';
import { readSlotOutcome, winningReels } from './rules.ts';
import './slot.css';
import { SlotSymbol } from './symbols.tsx';

const CELLS_A_STRIP = 5;
const DRAWN_AT_PX = 160;
const REDUCED_MOTION = '(prefers-reduced-motion: reduce)';
/** From the result until the last reel is at rest. */
export const LANDING_MS = 1_600;
/** The name of the animation that stops a reel, in slot.css. */
const LAST_ANIMATIONS = new Set(['slot-settle', 'slot-appear']);

/**
 * When each reel is at rest, after the result is known. If the first two match, which always pays, the second rests earlier and
 * the third is visibly last.
 */
export const restsOf = ([first, second]: Reels): readonly number[] => [
  600,
  first === second ? 850 : 1_100,
  LANDING_MS,
];

export interface SlotReelsProps {
  /** The symbols at rest; while the reels spin, the previous ones. */
  readonly symbols: Reels;
  /**
   * True after SPIN was pressed; when it becomes false the reels stop on `symbols`, left to right.
   */
  readonly spinning?: boolean;
  /**
   * The reels with a brass rim when the last of them has stopped; by default derived from the symbols.
   */
  readonly winningReels?: readonly boolean[];
  /** Cross-fades instead of moving; by default the visitor's own setting. */
  readonly reducedMotion?: boolean;
  /** The text for screen readers; by default the names of the symbols. */
  readonly label?: string;
  /** Called when the last reel has stopped after a spin. */
  onSettled?(): void;
}

/** Three reels, from their properties alone. */
export function SlotReels(props: SlotReelsProps) {
  const { symbols, spinning = false, onSettled } = props;
  const wins = props.winningReels ?? winningReels(symbols);
  const preferred = usePrefersReducedMotion();
  const [hasSpun, setHasSpun] = useState(false);
  if (spinning && !hasSpun) setHasSpun(true);
  const moving = spinning ? 'spinning' : hasSpun ? 'settling' : 'resting';
  const rests = restsOf(symbols);
  const style = { '--second': `${rests[1]}ms`, '--last': `${rests[2]}ms` } as CSSProperties;
  return (
    <div
      className="slot-reels"
      role="img"
      aria-label={props.label ?? symbols.map((id) => SYMBOL_NAMES[id]).join(', ')}
      aria-busy={spinning}
      data-motion={(props.reducedMotion ?? preferred) ? 'reduced' : 'full'}
      data-moving={moving}
      data-pair={symbols[0] === symbols[1]}
      style={style}
    >
      {symbols.map((symbol, order) => (
        <Reel
          key={order}
          symbol={symbol}
          order={order}
          restMs={rests[order] ?? 0}
          wins={!spinning && wins[order] === true}
          onSettled={order === symbols.length - 1 ? onSettled : undefined}
        />
      ))}
    </div>
  );
}

interface ReelProps {
  readonly symbol: SymbolId;
  readonly order: number;
  readonly restMs: number;
  readonly wins: boolean;
  readonly onSettled: (() => void) | undefined;
}

/** The strip begins and ends with the same symbol, so that it repeats without a seam. */
function Reel(props: ReelProps) {
  const { symbol, order, restMs, wins, onSettled } = props;
  const style = { '--order': order, '--rest': `${restMs}ms` } as CSSProperties;
  function onAnimationEnd({ animationName }: AnimationEvent) {
    if (LAST_ANIMATIONS.has(animationName)) onSettled?.();
  }
  return (
    <div className="slot-reel" data-wins={wins} style={style}>
      <div className="slot-strip" onAnimationEnd={onAnimationEnd}>
        {Array.from({ length: CELLS_A_STRIP }, (_, cell) => (
          <div className="slot-cell" key={cell}>
            <SlotSymbol id={(((symbol - 1 + cell) % 4) + 1) as SymbolId} size={DRAWN_AT_PX} />
          </div>
        ))}
      </div>
    </div>
  );
}

/** A finished round without animation, for the registry of views. */
export function SlotRound({ outcome, tick: _, ...motion }: RoundViewProps) {
  return <SlotReels symbols={readSlotOutcome(outcome).symbols} {...motion} />;
}

function usePrefersReducedMotion(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => matchMedia(REDUCED_MOTION).matches,
    () => false,
  );
}

function subscribe(onChange: () => void): () => void {
  const query = matchMedia(REDUCED_MOTION);
  query.addEventListener('change', onChange);
  return () => query.removeEventListener('change', onChange);
}
