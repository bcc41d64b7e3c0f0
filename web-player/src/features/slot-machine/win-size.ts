/** Size of a win, by its multiple of the stake; it determines fireworks and sound. */
export type Size = 'small' | 'medium' | 'large' | 'jackpot';

const BOUNDS: readonly (readonly [multiple: number, size: Size])[] = [
  [25, 'jackpot'],
  [10, 'large'],
  [4, 'medium'],
];

/** The row of the slot machine that is the jackpot, also when the maximum win reduces what it pays. */
export const JACKPOT = 'three-comets';

export function sizeOf(multiple: number, row?: string): Size {
  if (row === JACKPOT) return 'jackpot';
  return BOUNDS.find(([least]) => multiple >= least)?.[1] ?? 'small';
}
