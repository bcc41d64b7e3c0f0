/** `one` for a count of 1, otherwise `other`. */
export const plural = (count: number, one: string, other: string): string =>
  count === 1 ? one : other;
