import pg from 'pg';
import { afterAll, beforeAll } from 'vitest';

/** In each row of each query of this process, so that an answer that passes a row on contains it. */
export const EXTRA_COLUMN = 'column_that_no_answer_names';

interface ResultOfRows {
  parseRow(values: unknown): Record<string, unknown>;
}

/** For the tests of a file: other files run in the same process. */
export function addExtraColumn(): void {
  const { prototype } = (pg as unknown as { readonly Result: { prototype: ResultOfRows } }).Result;
  const { parseRow } = prototype;
  beforeAll(() => {
    prototype.parseRow = function (values) {
      return { ...parseRow.call(this, values), [EXTRA_COLUMN]: EXTRA_COLUMN };
    };
  });
  afterAll(() => {
    prototype.parseRow = parseRow;
  });
}
