/** The field's side in cells; a cell's number counts row by row from the top left. */
export const SIDE = 12;

/** How many of a cell's neighbours, up to eight, are mines. */
export function minesAround(cell: number, mines: readonly number[]): number {
  const [x, y] = [cell % SIDE, Math.floor(cell / SIDE)];
  return mines.filter((mine) => {
    const [dx, dy] = [Math.abs((mine % SIDE) - x), Math.abs(Math.floor(mine / SIDE) - y)];
    return Math.max(dx, dy) === 1;
  }).length;
}
