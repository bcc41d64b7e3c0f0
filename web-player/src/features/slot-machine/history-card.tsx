import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { PositionChip } from '../../components/position-chip.tsx';
import { rowKey } from '../../components/row-name.ts';
import { Empty, LoadFailed, SkeletonRows } from '../../components/states.tsx';
import { SymbolRow } from '../../components/symbol-row.tsx';
import { openConnectDialog } from '../../lib/connect-dialog.ts';
import { clockTime, points, signed } from '../../lib/format.ts';
import { type ShownRound, slotHistory } from './slot-api.ts';

const SKELETON_ROWS = 3;

/** The player's last games, each with its place in the book. */
export function HistoryCard({ signedIn, className }: { signedIn: boolean; className: string }) {
  const { t } = useTranslation();
  return (
    <Card title={t('history.title')} className={className}>
      {signedIn ? (
        <History />
      ) : (
        <Empty action={<Button onClick={openConnectDialog}>{t('connect.button')}</Button>}>
          {t('history.visitor')}
        </Empty>
      )}
    </Card>
  );
}

function History() {
  const { t } = useTranslation();
  const { data, isError, refetch } = useQuery(slotHistory);
  if (!data && isError) return <LoadFailed retry={() => void refetch()} />;
  if (!data) return <SkeletonRows count={SKELETON_ROWS} />;
  if (data.length === 0) return <Empty>{t('history.empty')}</Empty>;
  return (
    <ul>
      {data.map((round) => (
        <HistoryRow key={round.round_id} round={round} />
      ))}
    </ul>
  );
}

function HistoryRow({ round }: { round: ShownRound }) {
  const { t } = useTranslation();
  return (
    <li className="history-row">
      <time dateTime={round.created_at} className="history-time">
        {clockTime(round.created_at)}
      </time>
      <span className="history-symbols">
        <SymbolRow symbols={round.symbols[0] ?? []} label={t(rowKey(round.row))} />
      </span>
      <span className="history-bet">
        {t('history.bet')} <span className="font-mono">{points(round.bet_amount)}</span>
      </span>
      <span className={`history-win ${round.win_amount > 0 ? 'text-mint' : 'text-fg-2'}`}>
        {signed(round.win_amount)}
      </span>
      <span className="history-chip">
        <PositionChip position={round.position} roundId={round.round_id} />
      </span>
    </li>
  );
}
