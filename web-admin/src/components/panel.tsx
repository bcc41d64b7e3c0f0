import { CheckIcon, CrossIcon } from '@reelbook/web/components/icons';
import { Empty, LoadFailed, SkeletonRows } from '@reelbook/web/components/states';
import { isTransient } from '@reelbook/web/use-command';
import { type ReactNode, useEffect } from 'react';
import { refusalText } from '../lib/refusal-text.ts';
import { clockText } from '../lib/times.ts';
import type { Verdict } from '../lib/verify/checks.ts';

/** A titled section of a page. `aside` is right of the title. `flush` removes the padding. */
export function Panel(props: {
  title: ReactNode;
  aside?: ReactNode;
  flush?: boolean;
  children: ReactNode;
}) {
  const { title, aside, flush = false, children } = props;
  return (
    <section className="min-w-0 rounded-md border border-line bg-ink-1">
      <header className="flex min-h-12 flex-wrap items-center justify-between gap-x-4 gap-y-1 border-line border-b px-4 py-2">
        <h2 className="text-base">{title}</h2>
        {aside !== undefined && (
          <div className="flex flex-wrap items-center gap-2 text-fg-3 text-sm">{aside}</div>
        )}
      </header>
      <div className={flush ? '' : 'px-4 py-3'}>{children}</div>
    </section>
  );
}

/** A label and its value. */
export function Fact({ label, children }: { label: ReactNode; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[minmax(96px,34%)_minmax(0,1fr)] items-baseline gap-3 py-[5px] text-sm">
      <dt className="text-fg-2">{label}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </div>
  );
}

const NONE: readonly unknown[] = [undefined, null, false, ''];

/** Values by label. One that is undefined, null, false or '' is left out, with its label. */
export const factsOf = (of: Readonly<Record<string, ReactNode>>): ReactNode =>
  Object.entries(of).map(
    ([label, value]) =>
      !NONE.includes(value) && (
        <Fact key={label} label={label}>
          {value}
        </Fact>
      ),
  );

/** Sets the title of the browser tab. */
export function useTitle(title: ReactNode): void {
  useEffect(() => {
    if (typeof title === 'string') document.title = `${title} · Reelbook ops`;
  }, [title]);
}

/** Title, description and actions of a page. A title that is a text is also that of the browser tab. */
export function PageHead(props: { title: ReactNode; aside?: ReactNode; children?: ReactNode }) {
  const { title, aside, children } = props;
  useTitle(title);
  return (
    <header className="mb-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
      <div className="min-w-0">
        <h1 className="text-xl">{title}</h1>
        {children !== undefined && <p className="mt-0.5 text-fg-2 text-sm">{children}</p>}
      </div>
      {aside !== undefined && <div className="flex flex-wrap items-center gap-2">{aside}</div>}
    </header>
  );
}

const COLOURS = { plain: '', good: 'text-mint', bad: 'text-coral', brass: 'text-brass' };

/** One figure with a label and a hint. */
export function Figure(props: {
  label: ReactNode;
  value: ReactNode;
  hint?: ReactNode;
  tone?: keyof typeof COLOURS;
}) {
  const { label, value, hint, tone = 'plain' } = props;
  return (
    <div className="min-w-0 rounded-md border border-line bg-ink-1 px-4 py-3">
      <p className="text-fg-3 text-xs">{label}</p>
      <p className={`truncate font-medium font-mono text-lg ${COLOURS[tone]}`}>{value}</p>
      <p className="min-h-[18px] truncate text-fg-3 text-xs">{hint}</p>
    </div>
  );
}

/** One check that ran in this browser: green if it passed, red with the fault if it failed. */
export function CheckRow(props: { verdict: Verdict | 'busy'; children: ReactNode; why?: string }) {
  const { verdict, children, why } = props;
  const isDone = verdict !== 'busy' && verdict !== undefined;
  const colour =
    verdict === null ? 'text-mint' : isDone ? 'text-coral' : 'w-3.5 text-center text-fg-3';
  return (
    <p
      className={`flex min-h-8 items-center gap-2.5 text-sm ${isDone ? '' : 'text-fg-2'}`}
      data-verdict={isDone ? (verdict === null ? 'passed' : 'failed') : undefined}
    >
      <span aria-hidden="true" className={colour}>
        {verdict === null ? <CheckIcon /> : isDone ? <CrossIcon /> : verdict ? '…' : '·'}
      </span>
      <span>
        {children}{' '}
        {verdict !== null && (
          <span className={isDone ? 'text-coral' : 'text-fg-3'}>{isDone ? verdict : why}</span>
        )}
      </span>
    </p>
  );
}

/** Progress bar. `share` is 0 to 1. */
export function Progress({ share, label }: { share: number; label: string }) {
  const percent = Math.round(Math.max(0, Math.min(1, share)) * 100);
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      className="h-1.5 overflow-hidden rounded-full bg-ink-3"
    >
      <span
        className="block h-full bg-(--brass) transition-[width] duration-[160ms] ease-out"
        style={{ width: `${percent}%` }}
      />
    </div>
  );
}

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
      <div className="relative min-w-0">
        {query.error && (
          // Above the figures without moving them, also in a grid.
          <p
            role="status"
            className="pointer-events-none absolute right-0 bottom-full z-1 bg-ink-1 px-2 text-coral text-xs/4"
          >
            Not refreshed since {clockText(query.dataUpdatedAt)} UTC
          </p>
        )}
        {children(query.data)}
      </div>
    );
  }
  if (!query.error) return <SkeletonRows count={rows} className="h-10 px-4" />;
  if (isTransient(query.error)) return <LoadFailed retry={() => void query.refetch()} />;
  return <Empty>{refusalText(query.error)}</Empty>;
}

/** A panel with what a query found. */
export function PanelOfRows<Row>(props: {
  title: string;
  aside?: ReactNode;
  query: Loading<readonly Row[]>;
  children(row: Row): ReactNode;
}) {
  const { query, children, ...panel } = props;
  return (
    <Panel {...panel}>
      <Loaded query={query} rows={1}>
        {(rows) =>
          rows.length > 0 ? rows.map(children) : <p className="text-fg-3 text-sm">None.</p>
        }
      </Loaded>
    </Panel>
  );
}
