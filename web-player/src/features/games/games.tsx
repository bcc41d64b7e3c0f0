import { faces, findFace, pathOf } from '@reelbook/games/faces';
import type { Reels } from '@reelbook/games/slot-machine/paytable';
import { SlotReels } from '@reelbook/games/slot-machine/view';
import { Badge } from '@reelbook/web/components/badge';
import { buttonClass } from '@reelbook/web/components/button';
import { Line } from '@reelbook/web/components/card';
import { ArrowIcon, PauseIcon } from '@reelbook/web/components/icons';
import { LoadFailed, Skeleton } from '@reelbook/web/components/states';
import { Tabs } from '@reelbook/web/components/tabs';
import { formatInteger } from '@reelbook/web/format';
import { toast } from '@reelbook/web/toasts';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import { ClosedPanel } from '../../components/closed-panel.tsx';
import { fill, useGameTexts } from '../../lib/game-texts.ts';
import { paths } from '../../lib/paths.ts';
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
      <h2 className="mt-10 mb-4 text-xl">{t('featured.mini.title')}</h2>
      <ul className="grid gap-3 md:grid-cols-3 md:gap-4">
        {SMALL.map(({ face, Picture }) => (
          <li key={face.id}>
            <Link
              to={pathOf(face)}
              className="flex h-full min-h-28 flex-col rounded-lg border border-line bg-ink-1 p-3 pb-4 transition-colors duration-150 hover:border-line-strong"
            >
              <svg
                viewBox="0 0 240 96"
                aria-hidden="true"
                className="block h-[116px] w-full rounded-md bg-(image:--reel) py-2.5 inset-ring inset-ring-line"
              >
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

const SHOWN: Reels = [2, 1, 3];

/** The slot machine with figures from the server. */
export function SlotCard() {
  const { t } = useTranslation();
  const { data, isError, refetch } = useQuery(gameConfigs);
  const config = data?.slot_machine;
  const closed = useClosed(config);
  const pointsText = (count: number) => t('games.points', { count, amount: formatInteger(count) });
  const value = (text: string | undefined) =>
    text ?? <Skeleton className="ml-auto h-[19.5px] w-20" />;
  return (
    <section className="cabinet grid items-center gap-6 md:grid-cols-[1.3fr_1fr] md:gap-10">
      <div className="reels-frame" aria-hidden="true" data-closed={Boolean(closed)}>
        <SlotReels symbols={SHOWN} />
      </div>
      <div>
        <div className="flex items-center gap-3">
          <h2 className="text-2xl">{useGameTexts()('slot-machine').name}</h2>
          {!closed && <Badge tone="brass">{t('games.hot')}</Badge>}
        </div>
        {isError && !config ? (
          <LoadFailed retry={() => void refetch()} />
        ) : (
          <dl className="my-4">
            <Line label={t('games.minBet')}>{value(config && pointsText(config.min_bet))}</Line>
            <Line label={t('games.maxWin')}>{value(config && pointsText(config.max_win))}</Line>
            <Line label={t('games.returns')}>
              {value(config && `${config.return.percent.toFixed(2)} %`)}
            </Line>
          </dl>
        )}
        {closed ? (
          <ClosedPanel closed={closed} />
        ) : (
          <Link to={paths.slotMachine} className={`${buttonClass('primary')} min-h-12 w-full`}>
            {t('games.playNow')}
          </Link>
        )}
      </div>
    </section>
  );
}

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
