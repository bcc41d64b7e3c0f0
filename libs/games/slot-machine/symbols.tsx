import { type ReactElement, useId } from 'react';
import type { ToneSet } from './drawing.tsx';
import { type Paint, Tones } from './drawing.tsx';
import type { SymbolId } from './paytable.ts';
import { Clover, cloverTones } from './symbol-clover.tsx';
import { Coin, coinTones } from './symbol-coin.tsx';
import { Comet, cometTones } from './symbol-comet.tsx';
import { Crown, crownTones } from './symbol-crown.tsx';

/**
 * Below this size in pixels fine lines are omitted.
 */
const FINE_FROM_PX = 44;

interface Drawing {
  readonly tones: ToneSet;
  readonly Draw: (props: { readonly paint: Paint; readonly fine: boolean }) => ReactElement;
}

const DRAWINGS: Readonly<Record<SymbolId, Drawing>> = {
  1: { tones: cometTones, Draw: Comet },
  2: { tones: crownTones, Draw: Crown },
  3: { tones: cloverTones, Draw: Clover },
  4: { tones: coinTones, Draw: Coin },
};

interface SlotSymbolProps {
  readonly id: SymbolId;
  /** Width and height in CSS pixels. */
  readonly size: number;
  /** The text for screen readers; without one it is decoration. */
  readonly title?: string;
}

/** One of the four symbols, drawn: 1 comet, 2 crown, 3 clover, 4 coin. */
export function SlotSymbol({ id, size, title }: SlotSymbolProps) {
  const scope = useId();
  const { tones, Draw } = DRAWINGS[id];
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 160 160"
      focusable="false"
      role={title === undefined ? 'presentation' : 'img'}
      aria-hidden={title === undefined}
      aria-label={title}
    >
      <Tones scope={scope} tones={tones} />
      <Draw paint={(tone) => `url(#${scope}${tone})`} fine={size >= FINE_FROM_PX} />
    </svg>
  );
}
