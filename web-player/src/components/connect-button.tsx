import { Button } from '@reelbook/web/components/button';
import { useStore } from '@reelbook/web/store';
import { useTranslation } from 'react-i18next';
import { connectDialog, openConnectDialog } from '../lib/connect-dialog.ts';

const TEXTS = {
  closed: 'connect.button',
  open: 'connect.button',
  loading: 'common.loading',
  failed: 'common.tryAgain',
} as const;

/** Opens the connect dialog, and shows that its code loads or has failed to load. */
export function ConnectButton({ className = '' }) {
  const { t } = useTranslation();
  const state = useStore(connectDialog);
  return (
    <Button
      look="primary"
      className={className}
      aria-busy={state === 'loading'}
      onClick={openConnectDialog}
    >
      {t(TEXTS[state])}
    </Button>
  );
}
