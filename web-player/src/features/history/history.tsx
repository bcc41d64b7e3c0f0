import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { buttonClass } from '../../components/button.tsx';
import { Pager } from '../../components/pager.tsx';
import { Empty, LoadFailed, SkeletonRows } from '../../components/states.tsx';
import { Visitor } from '../../components/visitor.tsx';
import { api } from '../../lib/api.ts';
import { paths } from '../../lib/paths.ts';
import { MINE } from '../../lib/queries.ts';
import { session } from '../../lib/session-store.ts';
import { useStore } from '../../lib/store.ts';
import { HistoryRow } from '../slot-machine/history-row.tsx';

const PAGE_SIZE = 20;

const rounds = (page: number) =>
  queryOptions({
    queryKey: [MINE, 'rounds', page],
    queryFn: () => api.call('slotHistory', { query: { page, page_size: PAGE_SIZE } }),
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
      <Rounds key={signedIn.user.wallet_address} />
    </>
  );
}

function Rounds() {
  const { t } = useTranslation();
  const [page, setPage] = useState(1);
  const { data, isError, refetch } = useQuery(rounds(page));
  return (
    <section className="rounded-lg border border-line bg-ink-1 px-5 py-2">
      {!data && isError && <LoadFailed retry={() => void refetch()} />}
      {!data && !isError && <SkeletonRows count={5} className="h-[62px] md:h-12" />}
      {data?.items.length === 0 && page === 1 && (
        <Empty
          action={
            <Link to={paths.slotMachine} className={buttonClass('primary')}>
              {t('home.play')}
            </Link>
          }
        >
          {t('playHistory.empty')}
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
