import { Button } from '@reelbook/web/components/button';
import { BellIcon } from '@reelbook/web/components/icons';
import { Skeleton } from '@reelbook/web/components/states';
import { points, shortAddress, token } from '@reelbook/web/format';
import { useStore } from '@reelbook/web/store';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { balances } from '../../lib/balances-store.ts';
import { openConnectDialog } from '../../lib/connect-dialog.ts';
import { paths } from '../../lib/paths.ts';
import { session } from '../../lib/session-store.ts';
import { unread } from '../../lib/unread.ts';
import { AccountMenu } from './account-menu.tsx';

const COUNT_SHOWN_MAX = 99;

/** The right end of the header: balances and account, or the connect button. */
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
      <Bell />
      <AccountMenu address={signedIn.user.wallet_address}>
        {shortAddress(signedIn.user.wallet_address)}
      </AccountMenu>
    </>
  );
}

function Bell() {
  const { t } = useTranslation();
  const count = useStore(unread) ?? 0;
  return (
    <Link
      to={paths.notifications}
      aria-label={t('header.bell', { count })}
      className="relative grid size-11 shrink-0 place-items-center rounded-full text-fg-2 hover:bg-ink-3 hover:text-fg"
    >
      <BellIcon />
      {count > 0 && (
        <span className="absolute top-1 right-0.5 min-w-4.5 rounded-full bg-brass px-1 text-center font-semibold text-brass-ink text-xs leading-4.5">
          {count > COUNT_SHOWN_MAX ? `${COUNT_SHOWN_MAX}+` : count}
        </span>
      )}
    </Link>
  );
}

function Holdings() {
  const { t } = useTranslation();
  const shown = useStore(balances);
  return (
    <dl className="holdings">
      <Holding label={t('header.token')}>{shown && token(shown.token)}</Holding>
      <Holding label={t('header.points')} short={t('header.pointsShort')}>
        {shown && points(shown.points)}
      </Holding>
    </dl>
  );
}

/** `short` follows the amount where there is no room above it. */
function Holding(props: { label: string; short?: string; children: string | null }) {
  const { label, short = label, children } = props;
  return (
    <div>
      <dt className="text-fg-3 text-xs leading-4">
        <span className="max-lg:hidden">{label}</span>
        <span className="lg:hidden">{short}</span>
      </dt>
      <dd className="font-medium font-mono">
        {children ?? <Skeleton className="ml-auto h-4 w-16" />}
      </dd>
    </div>
  );
}
