import { toast } from '@reelbook/web/toasts';
import { registerDevelopmentWallet } from '@reelbook/web/wallets/development-wallet';
import { keptWallet, watchWallets } from '@reelbook/web/wallets/wallets';
import i18next from 'i18next';
import { health, queryClient } from '../../lib/queries.ts';
import { session } from '../../lib/session-store.ts';
import { signOut } from './sign-in.ts';

/**
 * Follows the wallet that signed in: another account in it is another player, so the session ends. A wallet that locks
 * or disappears ends nothing, since playing needs no signature.
 */
export async function watchWallet(): Promise<void> {
  const known = await queryClient.fetchQuery(health).catch(() => null);
  if (known?.local_chain === true) registerDevelopmentWallet();
  let stop = () => {};
  let watched: string | null = null;
  const follow = () => {
    const wallet = session.get() ? keptWallet() : null;
    if ((wallet?.name ?? null) === watched) return;
    stop();
    watched = wallet?.name ?? null;
    stop = wallet?.watch(onAccount) ?? (() => undefined);
  };
  session.subscribe(follow);
  watchWallets(follow);
  follow();
}

function onAccount(address: string | null): void {
  const signedIn = session.get();
  if (!signedIn || address === null || address === signedIn.user.wallet_address) return;
  void signOut();
  toast(i18next.t('header.otherAccount'));
}
