import type { Difference } from '@reelbook/projections/compare';

/** How a row of a projection differs from the one of a replay: its first column, and each column that differs. */
export function describeDifference(
  { live, replayed }: Pick<Difference, 'live' | 'replayed'>,
  columns: readonly string[],
): string {
  if (live === null) return `has no row ${replayed}`;
  if (replayed === null) return `has the row ${live}; a replay gives none`;
  const [was, is] = [fieldsOf(live), fieldsOf(replayed)];
  if (was.length !== columns.length || is.length !== columns.length || was[0] !== is[0]) {
    return `has ${live}; a replay gives ${replayed}`;
  }
  const changes = columns.flatMap((column, i) =>
    was[i] === is[i]
      ? []
      : [`${column} is ${was[i] || 'empty'}, a replay gives ${is[i] || 'empty'}`],
  );
  return `row ${was[0]}: ${changes.join('; ')}`;
}

/** The fields of a row as Postgres prints it: `(a,"b, ""c""",)`. */
export function fieldsOf(row: string): readonly string[] {
  const fields = `${row.slice(1, -1)},`.match(/(?:"(?:[^"]|"")*"|[^",])*,/g) ?? [];
  return fields.map((field) => field.slice(0, -1).replace(/^"|"$/g, '').replaceAll('""', '"'));
}
