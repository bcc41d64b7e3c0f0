import { useTranslation } from 'react-i18next';
import { Button } from '../../components/button.tsx';
import { Skeleton } from '../../components/states.tsx';
import { balances } from '../../lib/balances-store.ts';
import { openConnectDialog } from '../../lib/connect-dialog.ts';
import { points, shortAddress, token } from '../../lib/format.ts';
import { session } from '../../lib/session-store.ts';
import { useStore } from '../../lib/store.ts';
import { AccountMenu } from './account-menu.tsx';

/** The right end of the header: what the player holds and who they are, or the way in. */
export function Account() {
  const { t } = useTranslation();
  const signedIn = useStore(session);
  if (!signedIn) {
    return (
      <Button look="primary" className="px-3 sm:px-4" onClick={openConnectDialog}>
        {t('connect.button')}
      </Button>
    );
  }
  return (
    <>
      <Holdings />
      <AccountMenu address={signedIn.user.wallet_address}>
        {shortAddress(signedIn.user.wallet_address)}
      </AccountMenu>
    </>
  );
}

function Holdings() {
  const { t } = useTranslation();
  const shown = useStore(balances);
  return (
    <dl className="flex gap-4 text-right">
      <Holding label={t('header.token')} className="max-md:hidden">
        {shown && token(shown.token)}
      </Holding>
      <Holding label={t('header.points')}>{shown && points(shown.points)}</Holding>
    </dl>
  );
}

function Holding({
  label,
  children,
  className = '',
}: {
  label: string;
  children: string | null;
  className?: string;
}) {
  return (
    <div className={className}>
      <dt className="text-fg-3 text-xs leading-4">{label}</dt>
      <dd className="font-medium font-mono leading-5">
        {children ?? <Skeleton className="mt-1 ml-auto h-4 w-16" />}
      </dd>
    </div>
  );
}
