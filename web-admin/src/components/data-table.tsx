import { csvRow } from '@reelbook/games/proofs/csv';
import { Button } from '@reelbook/web/components/button';
import { Empty } from '@reelbook/web/components/states';
import {
  type ColumnDef,
  type ColumnDefTemplate,
  getCoreRowModel,
  type RowData,
  useReactTable,
} from '@tanstack/react-table';
import { type RefObject, useRef } from 'react';
import { saveFile } from '../lib/api.ts';
import { useAt } from '../lib/point-in-time.ts';
import { pointInTime, queryClient } from '../lib/queries.ts';
import { toastRefusal } from '../lib/refusal-text.ts';
import { session } from '../lib/session-store.ts';
import { useShortcut } from '../lib/shortcuts.ts';
import { Loaded, type Loading } from './loading.tsx';

/**
 * Saves the rows that a table shows as CSV. Its first line names its content, at which position of the ledger with which hash, when
 * and by whom. `data-value` of an element replaces its text: exact amounts, complete wallets, positions and times.
 */
async function saveTable(
  label: string,
  table: HTMLTableElement,
  position: number | null,
): Promise<void> {
  const { at } = await queryClient.fetchQuery({
    ...pointInTime(position ?? undefined),
    staleTime: 0,
  });
  const now = new Date().toISOString();
  const by = session.get()?.operator ?? '';
  const head = ['Reelbook', label, at.position, at.hash, now, by];
  const rows = [...table.rows].map(({ cells }) => [...cells].map((cell) => cellText(cell)));
  const text = [head, ...rows].map(csvRow).join('');
  const name = `${label.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-')}-${at.position}.csv`;
  saveFile(new Blob([text], { type: 'text/csv' }), name);
}

function cellText(node: Node): string {
  if (node instanceof HTMLButtonElement) return '';
  if (node instanceof HTMLElement && node.dataset.value !== undefined) return node.dataset.value;
  if (node.nodeType === Node.TEXT_NODE) return node.textContent ?? '';
  return [...node.childNodes].map(cellText).filter(Boolean).join(' ').replace(/\s+/g, ' ').trim();
}

declare module '@tanstack/react-table' {
  interface ColumnMeta<TData extends RowData, TValue> {
    /** Right-aligned, for figures. */
    readonly end?: boolean;
    /** Place in the two-line row of a phone: `lead` and `end` are in the first line; by default the second. */
    readonly phone?: 'lead' | 'end' | 'hide';
    readonly title?: string;
  }
}

export type Column<Row> = ColumnDef<Row>;

interface TableProps<Row> {
  label: string;
  rows: readonly Row[];
  columns: Column<Row>[];
  idOf(row: Row): string;
  /** Called by Enter or a press on a row. */
  onOpen?: (row: Row) => void;
  selectedId?: string | null;
  /** Highlights the row as faulty. */
  isBad?: (row: Row) => boolean;
  /** Without the buttons that save and print it. */
  bare?: boolean;
}

/** A table with keyboard navigation (j, k, Enter). On a phone each row takes two lines. */
export function DataTable<Row>(props: TableProps<Row>) {
  const { label, rows, columns, idOf, onOpen, selectedId, isBad, bare = false } = props;
  const frame = useRef<HTMLTableElement>(null);
  const body = useRef<HTMLTableSectionElement>(null);
  const table = useReactTable({
    data: rows as Row[],
    columns,
    getRowId: idOf,
    getCoreRowModel: getCoreRowModel(),
  });
  const move = (step: number) => focusRow(body.current, step);
  useShortcut('down', () => move(1));
  useShortcut('up', () => move(-1));
  return (
    <>
      <div className="table-frame">
        <table ref={frame} className="table" aria-label={label}>
          <thead>
            {table.getHeaderGroups().map((group) => (
              <tr key={group.id}>
                {group.headers.map((header) => (
                  <th
                    key={header.id}
                    scope="col"
                    className={header.column.columnDef.meta?.end ? 'end' : undefined}
                  >
                    {contentOf(header.column.columnDef.header, header.getContext())}
                  </th>
                ))}
              </tr>
            ))}
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
                {row.getVisibleCells().map((cell) => {
                  const { meta, header } = cell.column.columnDef;
                  const isFigure = meta?.end === true && meta.phone === undefined;
                  return (
                    <td
                      key={cell.id}
                      className={meta?.end ? 'end' : undefined}
                      data-phone={meta?.phone}
                      data-label={
                        isFigure && typeof header === 'string' && header ? header : undefined
                      }
                    >
                      {contentOf(cell.column.columnDef.cell, cell.getContext())}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {!bare && rows.length > 0 && <TableFile label={label} table={frame} />}
    </>
  );
}

/** Saves the rows shown as CSV, and prints the page. */
function TableFile({ label, table }: { label: string; table: RefObject<HTMLTableElement | null> }) {
  const [at] = useAt();
  const save = () => {
    if (table.current) saveTable(label, table.current, at).catch(toastRefusal);
  };
  return (
    <p className="table-file no-print">
      <button type="button" onClick={save} aria-label={`Save the rows shown as CSV: ${label}`}>
        CSV
      </button>
      <button type="button" onClick={() => window.print()} aria-label={`Print this page: ${label}`}>
        Print
      </button>
    </p>
  );
}

/** Called, not rendered as a component: columns are new in each render, and would replace all elements, also the focused one. */
function contentOf<Context extends object>(
  template: ColumnDefTemplate<Context> | undefined,
  context: Context,
) {
  return typeof template === 'function' ? template(context) : template;
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

interface Props<Row> extends TableProps<Row> {
  /** The pages that `rows` come from. */
  query: Loading<unknown> & { readonly hasNextPage: boolean; fetchNextPage(): Promise<unknown> };
  /** Shown if there are no rows. */
  empty?: string;
}

/** A table with a button that loads the next page. */
export function PagedTable<Row>({ query, empty, ...table }: Props<Row>) {
  return (
    <Loaded query={query}>
      {() =>
        empty !== undefined && table.rows.length === 0 ? (
          <Empty>{empty}</Empty>
        ) : (
          <>
            <DataTable {...table} />
            {query.hasNextPage && (
              <div className="border-line border-t px-4 py-2">
                <Button size="small" onClick={() => void query.fetchNextPage()}>
                  More
                </Button>
              </div>
            )}
          </>
        )
      }
    </Loaded>
  );
}
