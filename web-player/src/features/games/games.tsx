import { findFace } from '@reelbook/games/faces';
import { Tabs } from '@reelbook/web/components/tabs';
import { toast } from '@reelbook/web/toasts';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { MiniGameCards } from './mini-game-cards.tsx';
import { SlotCard } from './slot-card.tsx';

const FILTERS = ['all', 'slots', 'mini'] as const;
type Filter = (typeof FILTERS)[number];
const FILTER_PARAM = 'filter';
const COMING = ['poker', 'roulette', 'dice', 'blackjack', 'baccarat', 'bingo'] as const;

/** The slot machine, the mini-games, and games that are not open yet. The filter is in the URL. */
export function Games() {
  const { t } = useTranslation();
  const [search, setSearch] = useSearchParams();
  const filter = readFilter(search.get(FILTER_PARAM));
  return (
    <>
      <h1 className="mb-5 text-2xl">{t('nav.games')}</h1>
      <Tabs<Filter>
        label={t('games.filterLabel')}
        names={FILTERS}
        value={filter}
        onChange={(name) =>
          setSearch(name === 'all' ? {} : { [FILTER_PARAM]: name }, {
            replace: true,
            preventScrollReset: true,
          })
        }
        titleOf={(name) => t(`games.filter.${name}`)}
      >
        {filter !== 'mini' && <SlotCard />}
        {filter !== 'slots' && <MiniGameCards />}
        {filter === 'all' && <Coming />}
      </Tabs>
    </>
  );
}

function Coming() {
  const { t } = useTranslation();
  return (
    <section>
      <h2 className="mt-10 mb-4 text-xl">{t('games.coming')}</h2>
      <ul className="grid grid-cols-2 gap-3 md:grid-cols-3 md:gap-4">
        {COMING.filter((game) => !findFace(game)).map((game) => (
          <li key={game}>
            <button
              type="button"
              className="flex min-h-20 w-full flex-col items-start justify-center gap-0.5 rounded-lg border border-line border-dashed px-5 py-4 text-left transition-colors duration-150 hover:border-line-strong"
              onClick={() => toast(t('games.comingSoon', { name: t(`games.${game}`) }))}
            >
              <span className="font-semibold">{t(`games.${game}`)}</span>
              <span className="text-fg-3 text-sm">{t('games.soon')}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function readFilter(text: string | null): Filter {
  return FILTERS.find((one) => one === text) ?? 'all';
}
