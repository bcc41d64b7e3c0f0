import { LoadFailed, SkeletonRows } from '@reelbook/web/components/states';
import { formatInteger } from '@reelbook/web/format';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Pager } from '../../components/pager.tsx';
import { PositionChip } from '../../components/position-chip.tsx';
import { api } from '../../lib/api.ts';
import { useGameTexts } from '../../lib/game-texts.ts';
import { PLAYER_DATA } from '../../lib/queries.ts';

const PAGE_SIZE = 20;
const SKELETON_ROWS = 3;

const pairNonces = (pair: number, page: number) =>
  queryOptions({
    queryKey: [PLAYER_DATA, 'nonces', pair, page],
    queryFn: () =>
      api.call('pairNonces', {
        params: { pair: String(pair) },
        query: { page, page_size: PAGE_SIZE },
      }),
    placeholderData: keepPreviousData,
  });

/** Every nonce of a seed pair in order, each with its round: a gap would show. */
export function PairNonces({ pair }: { pair: number }) {
  const { t } = useTranslation();
  const textsOf = useGameTexts();
  const [page, setPage] = useState(1);
  const { data, isError, refetch } = useQuery(pairNonces(pair, page));
  return (
    <section className="pb-4" aria-label={t('fairness.nonces')}>
      <p className="pb-1 text-fg-3 text-xs">{t('fairness.nonces')}</p>
      {!data && isError && <LoadFailed retry={() => void refetch()} />}
      {!data && !isError && <SkeletonRows count={SKELETON_ROWS} className="h-11" />}
      {data?.items.length === 0 && (
        <p className="py-2 text-fg-2 text-sm">{t('fairness.noNonces')}</p>
      )}
      <ol>
        {data?.items.map((one) => (
          <li
            key={one.nonce}
            className="grid min-h-11 grid-cols-[3.5rem_1fr_auto] items-center gap-x-3 border-line border-t text-sm"
          >
            <span className="font-mono text-fg-3">{formatInteger(one.nonce)}</span>
            <span className="min-w-0">
              {textsOf(one.game).name}{' '}
              <span className={one.status === 'won' ? 'text-mint' : 'text-fg-2'}>
                {t(`fairness.status.${one.status}`)}
                {one.reason && `: ${one.reason}`}
              </span>
            </span>
            <PositionChip
              position={one.position ?? one.bet_position}
              {...(one.position === null ? {} : { roundId: one.round_id })}
            />
          </li>
        ))}
      </ol>
      {data && (
        <Pager page={page} pageSize={PAGE_SIZE} total={data.total} onPage={setPage} isOldestFirst />
      )}
    </section>
  );
}
