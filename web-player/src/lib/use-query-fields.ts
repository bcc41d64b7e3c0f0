import { useSearchParams } from 'react-router';
import { isPeriodName, type Period } from './period.ts';

/** Fields of a list in the query of the page: filters, period and page. A changed filter returns to the first page. */
export function useQueryFields() {
  const [search, setSearch] = useSearchParams();
  const set = (changes: Readonly<Record<string, string | null>>) =>
    setSearch(
      (now) => {
        now.delete('page');
        for (const [name, value] of Object.entries(changes)) {
          if (value === null || value === '') now.delete(name);
          else now.set(name, value);
        }
        return now;
      },
      { replace: true, preventScrollReset: true },
    );
  const named = search.get('period');
  const period: Period = {
    name: isPeriodName(named) ? named : 'all',
    zone: search.get('zone') === 'utc' ? 'utc' : 'local',
    from: search.get('from') ?? '',
    to: search.get('to') ?? '',
  };
  return {
    /** One of the options, or null. */
    pick<Value extends string>(name: string, options: readonly Value[]): Value | null {
      return options.find((one) => one === search.get(name)) ?? null;
    },
    set,
    period,
    setPeriod(changed: Partial<Period>) {
      const { name, zone, from, to } = { ...period, ...changed };
      const isCustom = name === 'custom';
      set({
        period: name === 'all' ? null : name,
        zone: zone === 'utc' ? zone : null,
        from: isCustom ? from : null,
        to: isCustom ? to : null,
      });
    },
    page: Math.max(1, Math.floor(Number(search.get('page'))) || 1),
    setPage: (page: number) => set({ page: page === 1 ? null : String(page) }),
  };
}
