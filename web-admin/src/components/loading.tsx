import { isTransient } from '@reelbook/web/api-errors';
import { Empty, LoadFailed, SkeletonRows } from '@reelbook/web/components/states';
import type { ReactNode } from 'react';

import { Refusal } from './refusal.tsx';

/** State of a query. */
export interface Loading<Data> {
  readonly data: Data | undefined;
  readonly error: Error | null;
  refetch(): Promise<unknown>;
}

/** Shows a skeleton, the error with a retry button, or the data. */
export function Loaded<Data>(props: {
  query: Loading<Data>;
  rows?: number;
  children(data: Data): ReactNode;
}) {
  const { query, rows = 6, children } = props;
  if (query.data !== undefined) return children(query.data);
  if (!query.error) return <SkeletonRows count={rows} className="h-10 px-4" />;
  if (isTransient(query.error)) return <LoadFailed retry={() => void query.refetch()} />;
  return (
    <Empty>
      <Refusal error={query.error} />
    </Empty>
  );
}
