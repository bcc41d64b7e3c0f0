import { Button } from '@reelbook/web/components/button';
import { BellIcon, LeaveIcon } from '@reelbook/web/components/icons';
import { Skeleton } from '@reelbook/web/components/states';
import { points, shortAddress, token } from '@reelbook/web/format';
import { loadPart } from '@reelbook/web/load-part';
import { useStore } from '@reelbook/web/store';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { balances, balancesOld } from '../../lib/balances-store.ts';
import { openConnectDialog } from '../../lib/connect-dialog.ts';
import { paths } from '../../lib/paths.ts';
import { session } from '../../lib/session-store.ts';
import { unread } from '../../lib/unread.ts';
import { signOut } from './sign-in.ts';

/** Visitors do not load it. */
const AccountMenu = lazy(async () => ({
  default: (await loadPart(() => import('./account-menu.tsx'))).AccountMenu,
}));

const COUNT_SHOWN_MAX = 99;

const ACCOUNT_PILL =
  'flex h-11 items-center whitespace-nowrap rounded-full border border-line bg-ink-2 px-3 font-medium font-mono text-fg-2 text-xs';

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
  const address = shortAddress(signedIn.user.wallet_address);
  return (
    <>
      <Holdings />
      <Bell />
      <Suspense fallback={<span className={ACCOUNT_PILL}>{address}</span>}>
        <AccountMenu address={signedIn.user.wallet_address} className={ACCOUNT_PILL}>
          {address}
        </AccountMenu>
      </Suspense>
      <button
        type="button"
        aria-label={t('header.disconnect')}
        title={t('header.disconnect')}
        onClick={() => void signOut()}
        className="hidden size-11 shrink-0 place-items-center rounded-full text-fg-2 hover:bg-ink-3 hover:text-fg lg:grid"
      >
        <LeaveIcon />
      </button>
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
  const isOld = useStore(balancesOld);
  const unknown = isOld ? '–' : null;
  return (
    <dl className="holdings" data-old={isOld} title={isOld ? t('header.old') : undefined}>
      <Holding label={t('header.token')}>{shown ? token(shown.token) : unknown}</Holding>
      <Holding label={t('header.points')} short={t('header.pointsShort')}>
        {shown ? points(shown.points) : unknown}
      </Holding>
      {isOld && <dt className="holdings-old">{t('header.old')}</dt>}
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
