import { dateTime, formatInteger } from '@reelbook/web/format';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../lib/api.ts';

const receiptKey = queryOptions({
  queryKey: ['receipt-key'],
  queryFn: () => api.call('receiptKey'),
});

/** Next to "unknown": what restores of the ledger have lost, of which the event or round may be one. */
export function Lost() {
  const { t } = useTranslation();
  const { data } = useQuery(receiptKey);
  return data?.lost.map(({ epoch, from, to, before }) => (
    <p key={epoch} className="mt-3 font-medium text-coral">
      {t('event.lost', {
        from: formatInteger(from),
        to: formatInteger(to),
        time: dateTime(before),
      })}
    </p>
  ));
}
