/** Size of a win, by its multiple of the stake; it determines fireworks and sound. */
export type Size = 'small' | 'medium' | 'large' | 'jackpot';

const BOUNDS: readonly (readonly [multiple: number, size: Size])[] = [
  [25, 'jackpot'],
  [10, 'large'],
  [4, 'medium'],
];

export function sizeOf(multiple: number): Size {
  return BOUNDS.find(([least]) => multiple >= least)?.[1] ?? 'small';
}
