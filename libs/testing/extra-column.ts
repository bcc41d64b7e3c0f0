import pg from 'pg';

/** In each row of each query of this process, so that an answer that passes a row on contains it. */
export const EXTRA_COLUMN = 'column_that_no_answer_names';

interface ResultOfRows {
  parseRow(values: unknown): Record<string, unknown>;
}

export function addExtraColumn(): void {
  const { prototype } = (pg as unknown as { readonly Result: { prototype: ResultOfRows } }).Result;
  const { parseRow } = prototype;
  prototype.parseRow = function (values) {
    return { ...parseRow.call(this, values), [EXTRA_COLUMN]: EXTRA_COLUMN };
  };
}
