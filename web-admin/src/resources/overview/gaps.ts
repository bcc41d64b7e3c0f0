import type { AdminData } from '@reelbook/contract/admin/routes';

export type Point = AdminData<'engineHistory'>['points'][number];

/** A time without samples: indexes of its first and last point. */
export interface Gap {
  readonly from: number;
  readonly to: number;
}

export function gapsOf(points: readonly Point[]): readonly Gap[] {
  const gaps: Gap[] = [];
  points.forEach(({ projection_behind_s: lag }, at) => {
    if (lag !== null) return;
    const last = gaps.at(-1);
    if (last?.to === at - 1) gaps[gaps.length - 1] = { from: last.from, to: at };
    else gaps.push({ from: at, to: at });
  });
  return gaps;
}

/** The average of the known rates, and the longest lag with its projection (null: the publisher); null without a sample. */
export function summaryOf(points: readonly Point[]): {
  readonly average: number | null;
  readonly worst: { readonly seconds: number; readonly projection: string | null } | null;
} {
  const rates = points.flatMap(({ events_per_s: rate }) => (rate === null ? [] : [rate]));
  const lags = points.flatMap((point) => [
    ...lagOf(point.projection_behind_s, point.projection),
    ...lagOf(point.publisher_behind_s, null),
  ]);
  return {
    average: rates.length === 0 ? null : rates.reduce((sum, rate) => sum + rate, 0) / rates.length,
    worst: lags.toSorted((a, b) => b.seconds - a.seconds)[0] ?? null,
  };
}

const lagOf = (seconds: number | null, projection: string | null) =>
  seconds === null ? [] : [{ seconds, projection }];
