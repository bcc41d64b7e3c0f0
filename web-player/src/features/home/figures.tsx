import { Skeleton } from '@reelbook/web/components/states';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../lib/api.ts';
import { CONFIG } from '../../lib/queries.ts';

const PLACES = [0, 1, 2, 3] as const;

const homeFigures = queryOptions({
  queryKey: [CONFIG, 'home'],
  queryFn: () => api.call('homeFigures'),
  staleTime: 60_000,
});

/** Four figures, set by the operators or counted in the ledger; the text shows which. */
export function Figures() {
  const { t } = useTranslation();
  const { data, isError } = useQuery(homeFigures);
  if (isError && !data) return null;
  return (
    <section className="mt-10" aria-label={t('figures.label')}>
      <dl className="grid grid-cols-2 rounded-lg border border-line md:grid-cols-4">
        {PLACES.map((place) => {
          const figure = data?.figures[place];
          return (
            <div key={place} className="figure flex flex-col-reverse px-5 py-4">
              <dt className="text-fg-3 text-sm">
                {figure ? t(`figures.${figure.name}`) : <Skeleton className="h-4 w-20" />}
              </dt>
              <dd className="font-medium font-mono text-xl">
                {figure?.text ?? <Skeleton className="mb-1 h-6 w-16" />}
              </dd>
            </div>
          );
        })}
      </dl>
      <p className="mt-2 min-h-5 text-fg-3 text-xs">
        {data && t(data.live ? 'figures.counted' : 'figures.set')}
      </p>
    </section>
  );
}
