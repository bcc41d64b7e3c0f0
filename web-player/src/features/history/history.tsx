import { faces, pathOf } from '@reelbook/games/faces';
import { buttonClass } from '@reelbook/web/components/button';
import { Empty, LoadFailed, SkeletonRows } from '@reelbook/web/components/states';
import { Tabs } from '@reelbook/web/components/tabs';
import { useStore } from '@reelbook/web/store';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Pager } from '../../components/pager.tsx';
import { Visitor } from '../../components/visitor.tsx';
import { api } from '../../lib/api.ts';
import { useGameTexts } from '../../lib/game-texts.ts';
import { PLAYER_DATA } from '../../lib/queries.ts';
import { session } from '../../lib/session-store.ts';
import { HistoryRow } from '../slot-machine/history-row.tsx';

const PAGE_SIZE = 20;

const GAMES = faces.map(({ id }) => id);

const rounds = (game: string, page: number) =>
  queryOptions({
    queryKey: [PLAYER_DATA, 'rounds', game, page],
    queryFn: () =>
      api.call('gameHistory', { params: { game }, query: { page, page_size: PAGE_SIZE } }),
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
  const [game, setGame] = useState(GAMES[0] ?? '');
  return (
    <Tabs<string>
      label={t('playHistory.game')}
      names={GAMES}
      value={game}
      onChange={setGame}
      titleOf={(id) => textsOf(id).name}
    >
      <Rounds key={game} game={game} />
    </Tabs>
  );
}

function Rounds({ game }: { game: string }) {
  const { t } = useTranslation();
  const [page, setPage] = useState(1);
  const { data, isError, refetch } = useQuery(rounds(game, page));
  return (
    <section className="rounded-lg border border-line bg-ink-1 px-5 py-2">
      {!data && isError && <LoadFailed retry={() => void refetch()} />}
      {!data && !isError && <SkeletonRows count={5} className="h-[62px] md:h-12" />}
      {data?.items.length === 0 && page === 1 && (
        <Empty
          action={
            <Link to={pathOf({ id: game })} className={buttonClass('primary')}>
              {t('games.playNow')}
            </Link>
          }
        >
          {t('history.empty')}
        </Empty>
      )}
      <ul>
        {data?.items.map((round) => (
          <HistoryRow key={round.round_id} round={round} />
        ))}
      </ul>
      {data && <Pager page={page} pageSize={PAGE_SIZE} total={data.total} onPage={setPage} />}
    </section>
  );
}
