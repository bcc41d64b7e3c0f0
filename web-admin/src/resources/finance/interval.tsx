import { Button } from '@reelbook/web/components/button';
import { useSearchParams } from 'react-router';
import { useTexts } from '../../lib/texts.ts';
import { dayBefore } from '../../lib/times.ts';

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const SPANS = [1, 7, 30, 90] as const;

export interface Interval {
  readonly from: string;
  readonly to: string;
}

/** The days in the URL, both inclusive; by default the last thirty days. */
export function useInterval(): readonly [Interval, (interval: Interval) => void] {
  const [search, setSearch] = useSearchParams();
  const day = (key: string, fallback: string) => {
    const text = search.get(key) ?? '';
    return DAY.test(text) ? text : fallback;
  };
  const interval = { from: day('from', dayBefore(29)), to: day('to', dayBefore(0)) };
  const set = ({ from, to }: Interval) =>
    setSearch(
      (now) => {
        now.set('from', from);
        now.set('to', to);
        return now;
      },
      { replace: true, preventScrollReset: true },
    );
  return [interval, set];
}

/** Selects the first and the last day. */
export function IntervalForm() {
  const { t } = useTexts();
  const [interval, setInterval] = useInterval();
  const field = (key: keyof Interval) => (
    <label className="text-fg-3 text-xs">
      {t(`interval.${key}`)}
      <input
        type="date"
        value={interval[key]}
        onChange={(event) => {
          if (DAY.test(event.target.value)) setInterval({ ...interval, [key]: event.target.value });
        }}
        className="mt-1 block h-9 rounded-sm border border-line-strong bg-ink-2 px-2 font-mono text-fg text-sm"
      />
    </label>
  );
  return (
    <div className="no-print mb-4 flex flex-wrap items-end gap-2">
      {field('from')}
      {field('to')}
      {SPANS.map((days) => (
        <Button
          key={days}
          size="small"
          onClick={() => setInterval({ from: dayBefore(days - 1), to: dayBefore(0) })}
        >
          {t('interval.days', { count: days })}
        </Button>
      ))}
    </div>
  );
}
