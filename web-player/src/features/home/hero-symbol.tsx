import type { SymbolId } from '@reelbook/games/slot-machine/paytable';
import { SlotSymbol } from '@reelbook/games/slot-machine/symbols';

const DRAWN_AT_PX = 96;

/** A symbol that fades into its reel. */
export function HeroSymbol({ id }: { id: SymbolId }) {
  return (
    <span className="hero-symbol">
      <SlotSymbol id={id} size={DRAWN_AT_PX} />
    </span>
  );
}
