import { Empty, LoadFailed, SkeletonRows } from '@reelbook/web/components/states';
import { isTransient } from '@reelbook/web/use-command';
import type { ReactNode } from 'react';
import { refusalText } from '../lib/refusal-text.ts';
import { clockText } from '../lib/times.ts';
import { Panel } from './panel.tsx';

/** State of a query. */
export interface Loading<Data> {
  readonly data: Data | undefined;
  readonly error: Error | null;
  /** Time of `data`, in ms since 1970. */
  readonly dataUpdatedAt: number;
  refetch(): Promise<unknown>;
}

/** Shows a skeleton, the error with a retry button, or the data, with its age if the last refresh failed. */
export function Loaded<Data>(props: {
  query: Loading<Data>;
  rows?: number;
  children(data: Data): ReactNode;
}) {
  const { query, rows = 6, children } = props;
  if (query.data !== undefined) {
    return (
      <>
        {query.error && <NotRefreshed atMs={query.dataUpdatedAt} />}
        {children(query.data)}
      </>
    );
  }
  if (!query.error) return <SkeletonRows count={rows} className="h-10 px-4" />;
  if (isTransient(query.error)) return <LoadFailed retry={() => void query.refetch()} />;
  return <Empty>{refusalText(query.error)}</Empty>;
}

/** A panel that is shown only while it has rows, or while it is not known whether it has: a failed read is not none. */
export function PanelOfRows<Row>(props: {
  title: string;
  /** With it the panel is shown without rows too. */
  aside?: ReactNode;
  query: Loading<readonly Row[]>;
  children(row: Row): ReactNode;
}) {
  const { query, children, ...panel } = props;
  if (!query.error && !query.data?.length && !panel.aside) return null;
  return (
    <Panel {...panel}>
      <Loaded query={query}>{(rows) => rows.map(children)}</Loaded>
    </Panel>
  );
}

/** The last refresh failed; the figures are older. */
function NotRefreshed({ atMs }: { atMs: number }) {
  return (
    <p role="status" className="mb-2 text-coral text-sm">
      These figures could not be refreshed. They are of {clockText(atMs)} UTC.
    </p>
  );
}
