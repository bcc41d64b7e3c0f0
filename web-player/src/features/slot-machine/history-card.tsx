import { Button } from '@reelbook/web/components/button';
import { Card } from '@reelbook/web/components/card';
import { ArrowIcon } from '@reelbook/web/components/icons';
import { Empty, LoadFailed, SkeletonRows } from '@reelbook/web/components/states';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { openConnectDialog } from '../../lib/connect-dialog.ts';
import { paths } from '../../lib/paths.ts';
import { HistoryRow } from './history-row.tsx';
import { slotHistory } from './slot-api.ts';

const SKELETON_ROWS = 3;

/** The player's last games, each with its position in the ledger. */
export function HistoryCard({ signedIn, className }: { signedIn: boolean; className: string }) {
  const { t } = useTranslation();
  return (
    <Card
      title={t('history.title')}
      className={className}
      aside={
        signedIn && (
          <Link to={paths.history} className="flex min-h-11 items-center gap-1.5 hover:text-fg">
            {t('history.all')}
            <ArrowIcon />
          </Link>
        )
      }
    >
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
