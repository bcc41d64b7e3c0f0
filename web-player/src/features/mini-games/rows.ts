import type { GameConfig } from '@reelbook/contract/player/public';

type Row = GameConfig['paytable'][number];

/** The row of the paytable that pays now, and the one after it. */
export interface RowsNow<R extends Pick<Row, 'row'> = Row> {
  readonly reached: R | null;
  readonly next: R | null;
}

/** The number that a row names: 5 of "level 5". */
export const numberIn = (row: string): string => /\d+/.exec(row)?.[0] ?? row;

/** Rows are best first, as the API lists them. */
export function rowsAt<R extends Pick<Row, 'row'>>(
  paytable: readonly R[],
  count: number,
): RowsNow<R> {
  const isReached = ({ row }: R) => count >= Number(numberIn(row));
  return {
    reached: paytable.find(isReached) ?? null,
    next: paytable.findLast((row) => !isReached(row)) ?? null,
  };
}
