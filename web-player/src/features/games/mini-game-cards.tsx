import { faces, pathOf } from '@reelbook/games/faces';
import { Badge } from '@reelbook/web/components/badge';
import { ArrowIcon, PauseIcon } from '@reelbook/web/components/icons';
import { formatInteger } from '@reelbook/web/format';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { fill, useGameTexts } from '../../lib/game-texts.ts';
import { configOf, gameConfigs } from '../../lib/queries.ts';
import { useClosed } from '../../lib/use-closed.ts';
import { numberIn } from '../mini-games/rows.ts';

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
              <span className="mt-1 px-2 text-fg-2 text-sm">{textsOf(face.id).card}</span>
              <Pays game={face.id} />
              <Open game={face.id} />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** That it can be played, or why not. */
function Open({ game }: { game: string }) {
  const { t } = useTranslation();
  const { data } = useQuery(gameConfigs);
  const closed = useClosed(configOf(data, game));
  return (
    <span
      className={`mt-3 flex items-center gap-2 px-2 font-medium text-sm ${closed ? 'text-fg-3' : 'text-brass'}`}
    >
      {t(closed ? `closed.${closed.why}.title` : 'games.playNow')}
      {closed ? <PauseIcon /> : <ArrowIcon />}
    </span>
  );
}

/** What it costs and pays, by the rules that the server plays now. */
function Pays({ game }: { game: string }) {
  const { t } = useTranslation();
  const { row = '{{n}}' } = useGameTexts()(game);
  const { data } = useQuery(gameConfigs);
  const config = configOf(data, game);
  const [best, first] = [config?.paytable[0], config?.paytable.at(-1)];
  return (
    <span className="mt-1 min-h-10 flex-1 px-2 text-fg-2 text-sm">
      {config &&
        best &&
        first &&
        t('games.pays', {
          fee: t('games.points', { count: config.min_bet, amount: formatInteger(config.min_bet) }),
          first: fill(row, numberIn(first.row)),
          low: first.multiple,
          high: best.multiple,
        })}
    </span>
  );
}
