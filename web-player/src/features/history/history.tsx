import type { Round } from '@reelbook/contract/player/games';
import { ALL_GAMES } from '@reelbook/contract/route';
import { faces, pathOf } from '@reelbook/games/faces';
import { buttonClass } from '@reelbook/web/components/button';
import { Select } from '@reelbook/web/components/select';
import { Empty, LoadFailed, SkeletonRows } from '@reelbook/web/components/states';
import { Tabs } from '@reelbook/web/components/tabs';
import { useStore } from '@reelbook/web/store';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { NoMatch } from '../../components/no-match.tsx';
import { Pager } from '../../components/pager.tsx';
import { PeriodFields } from '../../components/period-fields.tsx';
import { Visitor } from '../../components/visitor.tsx';
import { api } from '../../lib/api.ts';
import { fill, useGameTexts } from '../../lib/game-texts.ts';
import { paths } from '../../lib/paths.ts';
import { rangeOf } from '../../lib/period.ts';
import { PLAYER_DATA } from '../../lib/queries.ts';
import { session } from '../../lib/session-store.ts';
import { useQueryFields } from '../../lib/use-query-fields.ts';
import { numberIn } from '../mini-games/rows.ts';
import { HistoryRow } from '../slot-machine/history-row.tsx';

const PAGE_SIZE = 20;

const GAMES = [ALL_GAMES, ...faces.map(({ id }) => id)];

/** An open round has no result to list yet; its game shows it. */
const STATES = ['won', 'lost', 'voided'] as const;

/** The game, filters and page of the page's query. A wrong custom period is not applied. */
function useFilters() {
  const fields = useQueryFields();
  const status = fields.pick('status', STATES);
  const game = fields.pick('game', GAMES) ?? ALL_GAMES;
  return { ...fields, game, status, isFiltered: status !== null || fields.period.name !== 'all' };
}

type Filters = ReturnType<typeof useFilters>;

const rounds = ({ game, page, status, period }: Filters) =>
  queryOptions({
    queryKey: [PLAYER_DATA, 'rounds', game, page, status, period],
    queryFn: () => {
      const range = rangeOf(period, new Date()) ?? {};
      const query = { page, page_size: PAGE_SIZE, ...(status && { status }), ...range };
      return api.call('gameHistory', { params: { game }, query });
    },
    placeholderData: keepPreviousData,
  });

/** Every round of the player, page by page. */
export function PlayHistory() {
  const { t } = useTranslation();
  const signedIn = useStore(session);
  const title = t('nav.history');
  if (!signedIn) return <Visitor title={title}>{t('playHistory.visitor')}</Visitor>;
  return (
    <>
      <h1 className="text-2xl">{title}</h1>
      <p className="mt-1 mb-5 text-fg-2">{t('playHistory.lead')}</p>
      <ByGame key={signedIn.user.wallet_address} />
    </>
  );
}

function ByGame() {
  const { t } = useTranslation();
  const textsOf = useGameTexts();
  const filters = useFilters();
  const { game, set } = filters;
  return (
    <Tabs<string>
      label={t('eventField.game')}
      names={GAMES}
      value={game}
      onChange={(one) => set({ game: one === ALL_GAMES ? null : one })}
      titleOf={(id) => (id === ALL_GAMES ? t('playHistory.all') : textsOf(id).name)}
    >
      <Rounds key={game} filters={filters} />
    </Tabs>
  );
}

function Rounds({ filters }: { filters: Filters }) {
  const { t } = useTranslation();
  const { game, page, setPage, isFiltered, set } = filters;
  const textsOf = useGameTexts();
  const { data, isError, refetch } = useQuery(rounds(filters));
  const isEmpty = data?.items.length === 0 && page === 1;
  return (
    <section className="rounded-lg border border-line bg-ink-1 px-5 py-2">
      {(isFiltered || !isEmpty) && <FilterBar filters={filters} />}
      {!data && isError && <LoadFailed retry={() => void refetch()} />}
      {!data && !isError && <SkeletonRows count={5} className="h-[62px] md:h-12" />}
      {isEmpty && isFiltered && (
        <NoMatch onClear={() => set({ status: null, period: null, from: null, to: null })} />
      )}
      {isEmpty && !isFiltered && (
        <Empty
          action={
            <Link
              to={game === ALL_GAMES ? paths.games : pathOf({ id: game })}
              className={buttonClass('primary')}
            >
              {t('games.playNow')}
            </Link>
          }
        >
          {t(game === ALL_GAMES ? 'history.empty' : 'playHistory.none')}
        </Empty>
      )}
      {data && data.items.length > 0 && (
        <>
          <div className="history-row history-head" aria-hidden="true">
            <span className="[grid-area:time]">{t('eventView.time')}</span>
            <span className="[grid-area:symbols]">{t('playHistory.column.result')}</span>
            <span className="[grid-area:bet]">{t('slot.bet')}</span>
            <span className="[grid-area:win]">{t('playHistory.column.win')}</span>
            <span className="justify-self-end [grid-area:chip]">
              {t('transactions.column.position')}
            </span>
          </div>
          <ul>
            {data.items.map((round) => (
              <HistoryRow key={round.round_id} round={round} game={resultOf(round, textsOf)} />
            ))}
          </ul>
        </>
      )}
      {data && <Pager page={page} pageSize={PAGE_SIZE} total={data.total} onPage={setPage} />}
    </section>
  );
}

/** "Tetris · Level 5"; an annulled round has no result. */
function resultOf(
  { game, status, description }: Pick<Round, 'game' | 'status' | 'description'>,
  textsOf: ReturnType<typeof useGameTexts>,
): string {
  const { name, row, reached = row } = textsOf(game);
  if (!reached || status === 'voided') return name;
  return `${name} · ${fill(reached, numberIn(description))}`;
}

function FilterBar({ filters }: { filters: Filters }) {
  const { t } = useTranslation();
  const { status, period, set, setPeriod } = filters;
  return (
    <fieldset className="filter-bar pt-2">
      <legend className="sr-only">{t('filters.label')}</legend>
      <Select<string>
        isSmall
        label={t('transactions.column.status')}
        value={status ?? ''}
        onChange={(one) => set({ status: one })}
        options={[
          ['', t('filters.all')],
          ...STATES.map((one) => [one, t(`playHistory.statuses.${one}`)] as const),
        ]}
      />
      <PeriodFields period={period} onChange={setPeriod} />
    </fieldset>
  );
}
