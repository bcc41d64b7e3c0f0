import { lazy, Suspense } from 'react';

const SHOWN = [2, 1, 3] as const;

/** The drawings are not needed for the first words: reels without them stand there until they are loaded. */
const HeroSymbol = lazy(async () => ({
  default: (await import('./hero-symbol.tsx')).HeroSymbol,
}));

/** What this is about, at a glance; on a phone the words and the buttons need the room. */
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
