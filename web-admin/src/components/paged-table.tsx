import { Button } from '@reelbook/web/components/button';
import { Empty } from '@reelbook/web/components/states';
import { DataTable, type TableProps } from './data-table.tsx';
import { Loaded, type Loading } from './loading.tsx';

interface Props<Row> extends TableProps<Row> {
  /** The pages that `rows` come from. */
  query: Loading<unknown> & { readonly hasNextPage: boolean; fetchNextPage(): Promise<unknown> };
  /** Shown if there are no rows. */
  empty?: string;
}

/** A table with a button that loads the next page. */
export function PagedTable<Row>({ query, empty, ...table }: Props<Row>) {
  if (empty !== undefined && query.data !== undefined && table.rows.length === 0) {
    return <Empty>{empty}</Empty>;
  }
  return (
    <Loaded query={query}>
      {() => (
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
      )}
    </Loaded>
  );
}
