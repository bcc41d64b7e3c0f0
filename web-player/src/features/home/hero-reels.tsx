import { lazy, Suspense } from 'react';

const SHOWN = [2, 1, 3] as const;

/** The drawings are not needed for the first paint: empty reels are shown until they are loaded. */
const HeroSymbol = lazy(async () => ({
  default: (await import('./hero-symbol.tsx')).HeroSymbol,
}));

/** A preview of the reels; hidden on a phone, where text and buttons need the room. */
export function HeroReels() {
  return (
    <div className="hero-reels" aria-hidden="true">
      {SHOWN.map((id) => (
        <div key={id} className="hero-reel">
          <Suspense fallback={null}>
            <HeroSymbol id={id} />
          </Suspense>
        </div>
      ))}
    </div>
  );
}
