import { Button } from '@reelbook/web/components/button';
import { Dialog } from '@reelbook/web/components/dialog';
import { points, token } from '@reelbook/web/format';
import { useStore } from '@reelbook/web/store';
import { forgetDevelopmentKey } from '@reelbook/web/wallets/development-wallet';
import { useTranslation } from 'react-i18next';
import { balances } from '../../lib/balances-store.ts';
import { openConnectDialog } from '../../lib/connect-dialog.ts';
import { signOut } from './sign-in.ts';

/** Asks before the key of the development wallet is deleted: nothing else can open its account. */
export function StartOver({ onClose }: { onClose(): void }) {
  const { t } = useTranslation();
  const held = useStore(balances);
  const startOver = () => {
    void signOut();
    forgetDevelopmentKey();
    void openConnectDialog();
  };
  return (
    <Dialog title={t('startOver.title')} onClose={onClose}>
      <p className="mb-5 text-fg-2 text-sm">
        {t('startOver.text', {
          points: held ? points(held.points) : '–',
          token: held ? token(held.token) : '–',
        })}
      </p>
      <div className="grid grid-cols-2 gap-3">
        <Button onClick={onClose}>{t('common.cancel')}</Button>
        <Button look="danger" onClick={startOver}>
          {t('startOver.confirm')}
        </Button>
      </div>
    </Dialog>
  );
}
