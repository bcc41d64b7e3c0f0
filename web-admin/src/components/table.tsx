import type { AdminData } from '@reelbook/admin/answers';
import type { AdminQuery, AdminRouteName } from '@reelbook/contract/admin/routes';
import { csvFile } from '@reelbook/games/proofs/csv';
import { Button } from '@reelbook/web/components/button';
import { Empty } from '@reelbook/web/components/states';
import { formatInteger } from '@reelbook/web/format';
import { toast } from '@reelbook/web/toasts';
import { useCommand } from '@reelbook/web/use-command';
import { useInfiniteQuery } from '@tanstack/react-query';
import {
  type ColumnDef,
  getCoreRowModel,
  type RowData,
  useReactTable,
} from '@tanstack/react-table';
import { type ReactNode, useRef, useState } from 'react';
import { createPortal, flushSync } from 'react-dom';
import { useNavigate } from 'react-router';
import { counted } from '../lib/amounts.ts';
import { api, saveFile } from '../lib/api.ts';
import { useAt, useHere } from '../lib/point-in-time.ts';
import { pointInTime, queryClient, shownAt } from '../lib/queries.ts';
import { toastRefusal } from '../lib/refusal-text.ts';
import { session } from '../lib/session-store.ts';
import { useShortcut } from '../lib/shortcuts.ts';
import { Loaded, type Loading, Panel } from './panel.tsx';

/** More rows of a list are not read for a file. */
const FILE_ROWS_MAX = 10_000;
/** Of one request. */
const FILE_PAGE = 200;

/** Rows for a file; `cut`: the list has more. */
interface FileRows<Row> {
  readonly rows: readonly Row[];
  readonly cut: boolean;
}

/**
 * Saves rows as CSV. Its first line names its content, up to which position of the ledger it has all events and the hash
 * there, when, by whom, the page with its filter, and whether rows are missing. `data-value` of an element replaces its
 * text: exact amounts, complete wallets, positions and times.
 */
async function saveTable(
  label: string,
  { rows, cut }: { rows: readonly (readonly string[])[]; cut: boolean },
  position: number | null,
): Promise<void> {
  const { at } = await queryClient.fetchQuery({
    ...pointInTime(position ?? undefined),
    staleTime: 0,
  });
  const now = new Date().toISOString();
  const by = session.get()?.operator ?? '';
  const page = `${location.pathname}${location.search}`;
  const count = rows.length - 1;
  const complete = cut ? `CUT after ${count} rows` : `complete: ${counted(count, 'row')}`;
  const head = ['Reelbook', label, at.position, at.hash, now, by, page, complete];
  const name = `${label.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-')}-${at.position}.csv`;
  saveFile(new Blob([csvFile([head, ...rows])], { type: 'text/csv;charset=utf-8' }), name);
  if (cut) toast(`The file has the first ${formatInteger(count)} rows only. Use a filter.`, 'bad');
}

function cellText(node: Node): string {
  if (node instanceof HTMLButtonElement) return '';
  if (node instanceof HTMLElement && node.dataset.value !== undefined) return node.dataset.value;
  if (node.nodeType === Node.TEXT_NODE) return node.textContent ?? '';
  return [...node.childNodes].map(cellText).filter(Boolean).join(' ').replace(/\s+/g, ' ').trim();
}

type Cell<Row> = (row: Row) => ReactNode;

/** Where the cells of a column are; by default at the left, on a phone in the second of two lines. */
const PLACES = {
  /** By which the row is known. */
  lead: { phone: 'lead' },
  figure: { end: true },
  /** The figure of the row. */
  total: { end: true, phone: 'end' },
  /** A figure that a phone leaves out. */
  detail: { end: true, phone: 'hide' },
} as const;

/** Columns by their heading, from the left. */
export type Columns<Row> = Readonly<
  Record<string, Cell<Row> | { readonly [Place in keyof typeof PLACES]?: Cell<Row> }>
>;

const definitionsOf = <Row,>(columns: Columns<Row>): ColumnDef<Row>[] =>
  Object.entries(columns).map(([header, column]) => {
    const placed = typeof column === 'function' ? {} : column;
    const place = (Object.keys(placed) as (keyof typeof PLACES)[])[0];
    const cell = typeof column === 'function' ? column : place && column[place];
    return { id: header || 'actions', header, meta: { cell, ...(place && PLACES[place]) } };
  });

declare module '@tanstack/react-table' {
  interface ColumnMeta<TData extends RowData, TValue> {
    readonly cell: Cell<TData> | undefined;
    /** Right-aligned. */
    readonly end?: boolean;
    readonly phone?: 'lead' | 'end' | 'hide';
  }
}

interface TableProps<Row> {
  label: string;
  rows: readonly Row[];
  columns: Columns<Row>;
  idOf(row: Row): string;
  /** Called by Enter or a press on a row. */
  onOpen?: ((row: Row) => void) | undefined;
  selectedId?: string | null;
  /** Highlights the row as faulty. */
  isBad?: (row: Row) => boolean;
  /** All rows of the list for a file; by default the rows shown. */
  allRows?: (() => Promise<FileRows<Row>>) | undefined;
  /** Without CSV: it has an export of its own. */
  bare?: boolean;
}

/** A table with keyboard navigation (j, k, Enter). On a phone each row takes two lines. */
export function DataTable<Row>(props: TableProps<Row>) {
  const { label, rows, columns, idOf, onOpen, selectedId, isBad } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  const table = useReactTable({
    data: rows as Row[],
    columns: definitionsOf(columns),
    getRowId: idOf,
    getCoreRowModel: getCoreRowModel(),
  });
  const move = (step: number) => focusRow(body.current, step);
  useShortcut('down', () => move(1));
  useShortcut('up', () => move(-1));
  return (
    <>
      <div className="table-frame overflow-x-auto">
        <table className="table" aria-label={label}>
          <thead>
            <tr>
              {table.getFlatHeaders().map(({ id, column: { columnDef } }) => (
                <th key={id} scope="col" className={columnDef.meta?.end ? 'end' : undefined}>
                  {columnDef.header as string}
                </th>
              ))}
            </tr>
          </thead>
          <tbody ref={body}>
            {table.getRowModel().rows.map((row) => (
              <tr
                key={row.id}
                tabIndex={-1}
                data-row={row.id}
                data-selected={row.id === selectedId}
                data-bad={isBad?.(row.original)}
                data-opens={onOpen !== undefined}
                onKeyDown={(event) => {
                  if (event.key === 'Enter' && event.target === event.currentTarget) {
                    onOpen?.(row.original);
                  }
                }}
                onClick={(event) => {
                  if (!isControl(event.target)) onOpen?.(row.original);
                }}
              >
                {row.getVisibleCells().map(({ id, column: { columnDef } }) => {
                  const { cell, end, phone } = columnDef.meta ?? {};
                  return (
                    <td
                      key={id}
                      className={end ? 'end' : undefined}
                      data-phone={phone}
                      data-label={(end && !phone && columnDef.header) || undefined}
                    >
                      {cell?.(row.original)}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > 0 && <TableFile {...props} />}
    </>
  );
}

const FILE = 'min-h-8 px-2 text-fg-3 hover:text-fg';

/** Saves the rows as CSV, and prints the page. */
function TableFile<Row>({ label, rows, columns, allRows, bare = false }: TableProps<Row>) {
  const [at] = useAt();
  const [file, setFile] = useState<(FileRows<Row> & { table: HTMLTableElement }) | null>(null);
  const { busy, send } = useCommand({
    send: async (isNow: boolean) => {
      const upTo = (!isNow && at) || shownAt.get();
      const found = (await allRows?.()) ?? { rows, cut: false };
      const table = document.createElement('table');
      // The cells of all rows, outside of the page.
      flushSync(() => setFile({ ...found, table }));
      const texts = [...table.rows].map(({ cells }) => [...cells].map(cellText));
      setFile(null);
      // The page was left meanwhile.
      if (texts.length === 0) return;
      await saveTable(label, { rows: texts, cut: found.cut }, upTo);
    },
    onFailed: toastRefusal,
  });
  const named = definitionsOf(columns).filter(({ header }) => header !== '');
  return (
    <p className="no-print flex justify-end gap-1 border-line border-t px-3 text-xs">
      {!bare && (
        <button
          type="button"
          className={FILE}
          disabled={busy}
          onClick={({ currentTarget }) => send(currentTarget.closest('[data-now]') !== null)}
          aria-label={`Save all rows as CSV: ${label}`}
        >
          CSV
        </button>
      )}
      <button
        type="button"
        className={FILE}
        onClick={() => window.print()}
        aria-label={`Print this page: ${label}`}
      >
        Print
      </button>
      {file &&
        createPortal(
          <tbody>
            <tr>
              {named.map(({ id, header }) => (
                <th key={id}>{header as string}</th>
              ))}
            </tr>
            {file.rows.map((row, index) => (
              <tr key={index}>
                {named.map(({ id, meta }) => (
                  <td key={id}>{meta?.cell?.(row)}</td>
                ))}
              </tr>
            ))}
          </tbody>,
          file.table,
        )}
    </p>
  );
}

function focusRow(body: HTMLElement | null, step: number): void {
  const rows = [...(body?.querySelectorAll<HTMLElement>('tr[data-row]') ?? [])];
  const focused = rows.findIndex((row) => row.contains(document.activeElement));
  const from = focused >= 0 ? focused : rows.findIndex((row) => row.dataset.selected === 'true');
  const next = rows[Math.max(0, Math.min(rows.length - 1, from + step))];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}

/** Presses on controls inside a row do not open the row. */
function isControl(target: EventTarget): boolean {
  return target instanceof Element && target.closest('a, button, input, label') !== null;
}

type PagedName = {
  [Name in AdminRouteName]: AdminData<Name> extends { next: string | number | null } ? Name : never;
}[AdminRouteName];

/** The pages of a list. `cursor`: the parameter that takes `next` of a page; `from`: its value for the first page. */
export function usePages<Name extends PagedName, Row>(
  name: Name,
  rowsOf: (page: AdminData<Name>) => readonly Row[],
  query: NonNullable<AdminQuery<Name>>,
  options: {
    cursor?: 'before' | 'after';
    from?: number | null;
    params?: Readonly<Record<string, string>>;
    refetchInterval?: number;
  } = {},
) {
  const { cursor = 'before', from = null, params, ...rest } = options;
  const load = (next: string | number | null, signal?: AbortSignal, limit?: number) => {
    const page = { ...(next !== null && { [cursor]: next }), ...(limit && { limit }) };
    const input = { params, query: { ...query, ...page }, signal };
    return api.call(name, input as never) as Promise<AdminData<Name>>;
  };
  const { data, error, dataUpdatedAt, refetch, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: [name, 'pages', query, params, from],
    queryFn: ({ pageParam, signal }) => load(pageParam, signal),
    initialPageParam: from as string | number | null,
    getNextPageParam: ({ next }) => next,
    ...rest,
  });
  const rows = data?.pages.flatMap(rowsOf) ?? [];
  const first = data?.pages[0];
  const allRows = async (): Promise<FileRows<Row>> => {
    const all: Row[] = [];
    for (let next = from as string | number | null; ; ) {
      const page = await load(next, undefined, FILE_PAGE);
      all.push(...rowsOf(page));
      next = page.next;
      if (next === null || all.length >= FILE_ROWS_MAX) return { rows: all, cut: next !== null };
    }
  };
  return { data, error, dataUpdatedAt, refetch, hasNextPage, fetchNextPage, allRows, first, rows };
}

interface ListProps<Row> extends Omit<TableProps<Row>, 'rows' | 'label' | 'onOpen' | 'allRows'> {
  /** Of the panel and of the table. */
  title: string;
  label?: string;
  aside?: ReactNode;
  /** The query of the rows, or the pages that they come from. */
  list: Loading<unknown> & {
    readonly rows: readonly Row[];
    readonly hasNextPage?: boolean;
    fetchNextPage?(): Promise<unknown>;
    allRows?(): Promise<FileRows<Row>>;
  };
  /** Shown if there are no rows. */
  empty?: string;
  /** The page of a row. */
  to?(row: Row): string;
  /** Above the table. */
  children?: ReactNode;
  /** Below the table. */
  note?: ReactNode;
}

/** A panel with a table of what a query found, and a button that loads the next page. */
export function ListPanel<Row>(props: ListProps<Row>) {
  const { title, label = title, aside, list, empty, to, children, note, ...table } = props;
  const navigate = useNavigate();
  const here = useHere();
  return (
    <Panel flush title={title} aside={aside}>
      {children}
      <Loaded query={list}>
        {() =>
          empty !== undefined && list.rows.length === 0 ? (
            <Empty>{empty}</Empty>
          ) : (
            <>
              <DataTable<Row>
                {...table}
                label={label}
                rows={list.rows}
                allRows={list.allRows}
                onOpen={to && ((row) => void navigate(here(to(row))))}
              />
              {list.hasNextPage && (
                <div className="border-line border-t px-4 py-2">
                  <Button size="small" onClick={() => void list.fetchNextPage?.()}>
                    More
                  </Button>
                  <span className="hidden print:inline">There are more rows.</span>
                </div>
              )}
              {note}
            </>
          )
        }
      </Loaded>
    </Panel>
  );
}
