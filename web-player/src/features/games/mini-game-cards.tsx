import { faces, pathOf } from '@reelbook/games/faces';
import { Badge } from '@reelbook/web/components/badge';
import { ArrowIcon } from '@reelbook/web/components/icons';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useGameTexts } from '../../lib/game-texts.ts';

const SMALL = faces.flatMap((face) => {
  const { card } = face;
  return card ? [{ face, Picture: lazy(async () => ({ default: await card() })) }] : [];
});

/** Every game but the slot machine; simulated games have a label. */
export function MiniGameCards() {
  const { t } = useTranslation();
  const textsOf = useGameTexts();
  return (
    <section>
      <h2 className="mt-10 mb-4 text-xl">{t('games.mini')}</h2>
      <ul className="grid gap-3 md:grid-cols-3 md:gap-4">
        {SMALL.map(({ face, Picture }) => (
          <li key={face.id}>
            <Link
              to={pathOf(face)}
              className="flex h-full min-h-28 flex-col rounded-lg border border-line bg-ink-1 p-3 pb-4 transition-colors duration-150 hover:border-line-strong"
            >
              <svg viewBox="0 0 240 96" aria-hidden="true" className="mini-art">
                <Suspense fallback={null}>
                  <Picture />
                </Suspense>
              </svg>
              <span className="mt-4 flex flex-wrap items-center justify-between gap-x-3 gap-y-1 px-2">
                <span className="font-semibold text-lg">{textsOf(face.id).name}</span>
                {face.simulated && <Badge>{t('games.simulated')}</Badge>}
              </span>
              <span className="mt-1 flex-1 px-2 text-fg-2 text-sm">{textsOf(face.id).card}</span>
              <span className="mt-3 flex items-center gap-2 px-2 font-medium text-brass text-sm">
                {t('games.playNow')}
                <ArrowIcon />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
