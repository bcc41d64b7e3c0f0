import { type AnimationEvent, type CSSProperties, useState, useSyncExternalStore } from 'react';
import type { RoundViewProps } from '../game.ts';
import { type Reels, SYMBOL_NAMES, type SymbolId } from './paytable.ts';
import { readSlotOutcome, winningReels } from './rules.ts';
import './slot.css';
import { SlotSymbol } from './symbols.tsx';

const CELLS_A_STRIP = 5;
const DRAWN_AT_PX = 160;
const REDUCED_MOTION = '(prefers-reduced-motion: reduce)';
/** The name of the animation that stops a reel, in slot.css. */
const LAST_ANIMATIONS = new Set(['slot-settle', 'slot-appear']);

export interface SlotReelsProps {
  /** The symbols at rest; while the reels spin, the previous ones. */
  readonly symbols: Reels;
  /**
   * True after SPIN was pressed; when it becomes false the reels stop on `symbols`, left to right.
   */
  readonly spinning?: boolean;
  /**
   * The reels with a brass rim when all have stopped; by default derived from the symbols.
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
  return (
    <div
      className="slot-reels"
      role="img"
      aria-label={props.label ?? symbols.map((id) => SYMBOL_NAMES[id]).join(', ')}
      aria-busy={spinning}
      data-motion={(props.reducedMotion ?? preferred) ? 'reduced' : 'full'}
      data-moving={moving}
    >
      {symbols.map((symbol, order) => (
        <Reel
          key={order}
          symbol={symbol}
          order={order}
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
  readonly wins: boolean;
  readonly onSettled: (() => void) | undefined;
}

/** The strip begins and ends with the same symbol, so that it repeats without a seam. */
function Reel({ symbol, order, wins, onSettled }: ReelProps) {
  function onAnimationEnd({ animationName }: AnimationEvent) {
    if (LAST_ANIMATIONS.has(animationName)) onSettled?.();
  }
  return (
    <div className="slot-reel" data-wins={wins} style={{ '--order': order } as CSSProperties}>
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
