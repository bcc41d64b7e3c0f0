import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { rowKey } from '../../components/row-name.ts';
import { slotHistory } from './slot-api.ts';

const SHOWN = 8;

/** The multiples of the last rounds next to the reels, newest first. `hidden`: the round whose reels still turn. */
export function RecentResults({ hidden }: { hidden: string | null }) {
  const { t } = useTranslation();
  const { data } = useQuery(slotHistory);
  const history = data ?? [];
  const shown = history.filter(({ round_id: id }) => id !== hidden).slice(0, SHOWN);
  return (
    <ol className="recent-results" aria-label={t('slot.recent')}>
      {data?.length === 0 && <li className="recent-none">{t('slot.recentNone')}</li>}
      {shown.map(({ round_id: id, row, bet_amount: bet, win_amount: win }) => (
        <li key={id} data-wins={win > 0} title={t(rowKey(row))}>
          {win > 0 ? `${win / bet}×` : '–'}
        </li>
      ))}
    </ol>
  );
}
