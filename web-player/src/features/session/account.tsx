import { shortAddress } from '@reelbook/web/format';
import { loadPart } from '@reelbook/web/load-part';
import { useStore } from '@reelbook/web/store';
import { lazy, Suspense } from 'react';
import { ConnectButton } from '../../components/connect-button.tsx';
import { session } from '../../lib/session-store.ts';

/** Visitors load neither it nor the live channel. */
const SignedIn = lazy(async () => {
  const loaded = await loadPart(() => import('./signed-in.tsx'));
  loaded.followSession();
  return { default: loaded.SignedIn };
});

const ACCOUNT_PILL =
  'flex h-11 items-center whitespace-nowrap rounded-full border border-line bg-ink-2 px-3 font-medium font-mono text-fg-2 text-xs';

/** The right end of the header: balances and account, or the connect button. */
export function Account() {
  const signedIn = useStore(session);
  if (!signedIn) return <ConnectButton className="px-3 sm:px-4" />;
  const address = signedIn.user.wallet_address;
  return (
    <Suspense fallback={<span className={ACCOUNT_PILL}>{shortAddress(address)}</span>}>
      <SignedIn address={address} className={ACCOUNT_PILL} />
    </Suspense>
  );
}
