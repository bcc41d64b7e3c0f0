import { encode } from '@reelbook/ledger/codec';
import type pg from 'pg';

/**
 * Runs one set-based statement over rows: `$1` is all rows as JSON, for `json_to_recordset`. One parameter and one plan for
 * any number of rows; as fast as binary arrays. Does nothing for no rows.
 * @returns the number of rows that it changed.
 */
export async function changeRows(
  client: pg.ClientBase,
  options: { readonly name: string; readonly text: string; readonly values?: readonly unknown[] },
  rows: readonly unknown[],
): Promise<number> {
  if (rows.length === 0) return 0;
  const { name, text, values = [] } = options;
  const { rowCount } = await client.query({ name, text, values: [encode(rows), ...values] });
  return rowCount ?? 0;
}
