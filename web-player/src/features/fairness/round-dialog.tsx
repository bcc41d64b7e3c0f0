import { ApiError } from '@reelbook/contract/client';
import { Button } from '@reelbook/web/components/button';
import { Dialog } from '@reelbook/web/components/dialog';
import { SkeletonRows } from '@reelbook/web/components/states';
import { useStore } from '@reelbook/web/store';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { PositionChip } from '../../components/position-chip.tsx';
import { openConnectDialog } from '../../lib/connect-dialog.ts';
import { provenRound } from '../../lib/seeds.ts';
import { session } from '../../lib/session-store.ts';
import { ReceiptLinks } from './receipt-links.tsx';
import { RoundProof } from './round-proof.tsx';

/** The proof of one round, over the current page. */
export function RoundDialog({ roundId, onClose }: { roundId: string; onClose(): void }) {
  const { t } = useTranslation();
  const signedIn = useStore(session) !== null;
  const { data, error } = useQuery({ ...provenRound(roundId), enabled: signedIn });
  const title = (
    <span className="flex flex-wrap items-center gap-3">
      {t('round.title')}
      {data && <PositionChip position={data.position} />}
    </span>
  );
  return (
    <Dialog title={title} onClose={onClose} wide>
      {!signedIn && (
        <div className="flex flex-col items-start gap-4">
          <p className="text-fg-2">{t('round.visitor')}</p>
          <Button look="primary" onClick={openConnectDialog}>
            {t('connect.button')}
          </Button>
        </div>
      )}
      {signedIn && error && (
        <p className="text-fg-2" role="alert">
          {t(
            error instanceof ApiError && error.code === 404 ? 'round.unknown' : 'common.loadFailed',
          )}
        </p>
      )}
      {signedIn && !error && !data && <SkeletonRows count={6} />}
      {data && <RoundProof round={data} />}
      {data && <ReceiptLinks roundId={roundId} />}
    </Dialog>
  );
}
