/** What only a signed-in player loads. */
import { BellIcon, LeaveIcon } from '@reelbook/web/components/icons';
import { Skeleton } from '@reelbook/web/components/states';
import { points, shortAddress, token } from '@reelbook/web/format';
import { useStore } from '@reelbook/web/store';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { LivePill } from '../../components/live-pill.tsx';
import { balances, balancesOld } from '../../lib/balances-store.ts';
import { type LiveChannel, liveChannel } from '../../lib/live.ts';
import { paths } from '../../lib/paths.ts';
import { unread } from '../../lib/unread.ts';
import { AccountMenu } from './account-menu.tsx';
import { signOut } from './sign-in.ts';

export { followSession } from '../../lib/live.ts';

const COUNT_SHOWN_MAX = 99;

/** In the header: balances, notifications and account. */
export function SignedIn({ address, className }: { address: string; className: string }) {
  const { t } = useTranslation();
  return (
    <>
      <Holdings />
      <Bell />
      <AccountMenu address={address} className={className}>
        {shortAddress(address)}
      </AccountMenu>
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

/** Shows when the live updates have stopped, with a reconnect button. */
export function Dropped() {
  const channel = useStore(liveChannel);
  return channel && <DroppedChannel channel={channel} />;
}

function DroppedChannel({ channel }: { channel: LiveChannel }) {
  const { t } = useTranslation();
  const state = useStore(channel.state);
  if (state !== 'retrying' && state !== 'lost') return null;
  return (
    <LivePill text={t(state === 'lost' ? 'live.lost' : 'live.retrying')}>
      {state === 'lost' && (
        <button
          type="button"
          onClick={() => channel.reconnect()}
          className="min-h-11 rounded-sm px-3 font-semibold text-brass hover:bg-ink-3"
        >
          {t('live.reconnect')}
        </button>
      )}
    </LivePill>
  );
}
