import type { SymbolId } from '@reelbook/games/slot-machine/paytable';
import { SlotSymbol } from '@reelbook/games/slot-machine/symbols';

const SIZE_PX = 20;

/** Symbols in a line of text; null is any symbol. */
export function SymbolRow({
  symbols,
  label,
}: {
  symbols: readonly (number | null)[];
  label: string;
}) {
  return (
    <span role="img" aria-label={label} className="inline-flex align-middle">
      {symbols.map((id, place) => (
        <span key={place} className="inline-grid h-6 w-[22px] place-items-center [&>svg]:size-5">
          {id === null ? (
            <span className="size-[18px] rounded-[5px] border border-line-strong border-dashed" />
          ) : (
            <SlotSymbol id={id as SymbolId} size={SIZE_PX} />
          )}
        </span>
      ))}
    </span>
  );
}
