import { Empty, LoadFailed, SkeletonRows } from '@reelbook/web/components/states';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { isPassing, wordsOf } from '../lib/api.ts';

/** What a page shows of one read: rows to come, what went wrong with the way to try again, or the data. */
export function Loaded<Data>(props: {
  query: UseQueryResult<Data>;
  rows?: number;
  children(data: Data): ReactNode;
}) {
  const { query, rows = 6, children } = props;
  if (query.data !== undefined) return children(query.data);
  if (!query.error) return <SkeletonRows count={rows} className="h-10 px-4" />;
  if (isPassing(query.error)) return <LoadFailed retry={() => void query.refetch()} />;
  return <Empty>{wordsOf(query.error)}</Empty>;
}
