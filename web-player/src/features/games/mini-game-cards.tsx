import { Badge } from '@reelbook/web/components/badge';
import { ArrowIcon } from '@reelbook/web/components/icons';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { paths } from '../../lib/paths.ts';
import { MINI_GAMES } from '../mini-games/mini-game.ts';
import { MiniGameArt } from './mini-game-art.tsx';

/** The three arcade games; what is simulated says so. */
export function MiniGameCards() {
  const { t } = useTranslation();
  return (
    <section>
      <h2 className="mt-10 mb-4 text-xl">{t('games.mini')}</h2>
      <ul className="grid gap-3 md:grid-cols-3 md:gap-4">
        {MINI_GAMES.map((game) => (
          <li key={game}>
            <Link
              to={paths[game]}
              className="flex h-full min-h-28 flex-col rounded-lg border border-line bg-ink-1 p-3 pb-4 transition-colors duration-150 hover:border-line-strong"
            >
              <MiniGameArt game={game} />
              <span className="mt-4 flex flex-wrap items-center justify-between gap-x-3 gap-y-1 px-2">
                <span className="font-semibold text-lg">{t(`games.${game}`)}</span>
                <Badge>{t('games.simulated')}</Badge>
              </span>
              <span className="mt-1 flex-1 px-2 text-fg-2 text-sm">
                {t(`games.miniText.${game}`)}
              </span>
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
