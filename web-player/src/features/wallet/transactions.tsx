import type { Transaction } from '@reelbook/contract/player/profile';
import { buttonClass } from '@reelbook/web/components/button';
import { Card } from '@reelbook/web/components/card';
import { Empty, LoadFailed, SkeletonRows } from '@reelbook/web/components/states';
import { amountText, clockTime, signedText } from '@reelbook/web/format';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Pager } from '../../components/pager.tsx';
import { PositionChip } from '../../components/position-chip.tsx';
import { api } from '../../lib/api.ts';
import { paths } from '../../lib/paths.ts';
import { PLAYER_DATA } from '../../lib/queries.ts';
import { faultOf, roundIdOf, statusKey, typeKey } from './transaction.ts';

const PAGE_SIZE = 20;
const SKELETON_ROWS = 5;

const transactions = (page: number) =>
  queryOptions({
    queryKey: [PLAYER_DATA, 'transactions', page],
    queryFn: () => api.call('transactions', { query: { page, page_size: PAGE_SIZE } }),
    placeholderData: keepPreviousData,
  });

/** All transactions, newest first, each with its position in the ledger. */
export function Transactions() {
  const { t } = useTranslation();
  const [page, setPage] = useState(1);
  const { data, isError, refetch } = useQuery(transactions(page));
  return (
    <Card title={t('transactions.title')}>
      {!data && isError && <LoadFailed retry={() => void refetch()} />}
      {!data && !isError && <SkeletonRows count={SKELETON_ROWS} className="h-[62px]" />}
      {data?.items.length === 0 && page === 1 && (
        <Empty
          action={
            <Link to={paths.slotMachine} className={buttonClass('plain')}>
              {t('home.play')}
            </Link>
          }
        >
          <span className="block font-medium text-fg">{t('transactions.empty')}</span>
          {t('transactions.emptyHint')}
        </Empty>
      )}
      {data && data.items.length > 0 && (
        <ul className="statement-rows">
          {data.items.map((one) => (
            <Row key={one.id} one={one} />
          ))}
        </ul>
      )}
      {data && <Pager page={page} pageSize={PAGE_SIZE} total={data.total} onPage={setPage} />}
    </Card>
  );
}

function Row({ one }: { one: Transaction }) {
  const { t } = useTranslation();
  const roundId = roundIdOf(one);
  const status = statusKey(one.status);
  const fault = faultOf(one);
  return (
    <li className="statement-row">
      <span className="statement-what">
        <span className="font-medium">{t(`transactions.type.${typeKey(one.type)}`)}</span>
        <span
          className={`block text-xs md:ml-2 md:inline ${status === 'completed' ? 'text-fg-3' : 'text-brass'}`}
        >
          {t(`transactions.statuses.${status}`, { status: one.status })}
          {fault && `: ${'code' in fault ? t(`depositFaults.${fault.code}`) : fault.text}`}
        </span>
      </span>
      <time dateTime={one.created_at} className="statement-when">
        {clockTime(one.created_at)}
      </time>
      <span
        className={`statement-amount ${
          one.amount > 0 ? 'text-mint' : one.amount < 0 ? 'text-coral' : 'text-fg-2'
        }`}
      >
        {signedText(one.asset, one.amount)}{' '}
        <span className="text-fg-3 text-xs">{t(`exchange.${one.asset}`)}</span>
      </span>
      <span className="statement-after">
        <span className="sr-only">{t('transactions.after')}: </span>
        {one.balance_after === null ? '' : amountText(one.asset, one.balance_after)}
      </span>
      <span className="statement-chip">
        {one.position > 0 && (
          <PositionChip position={one.position} own {...(roundId ? { roundId } : {})} />
        )}
      </span>
    </li>
  );
}
