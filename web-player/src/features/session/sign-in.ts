import { loginMessage, writeSignature } from '@reelbook/contract/login';
import { api } from '../../lib/api.ts';
import { balances } from '../../lib/balances-store.ts';
import { MINE, queryClient } from '../../lib/queries.ts';
import { session } from '../../lib/session-store.ts';
import type { SigningWallet } from './wallets.ts';

/** Connects the wallet, signs the login sentence and opens a session. Throws WalletError or ApiError. */
export async function signIn(wallet: SigningWallet): Promise<void> {
  const { connectAndSign } = await import('./wallets.ts');
  const message = loginMessage(Date.now());
  const { address, signature } = await connectAndSign(wallet, message);
  const login = await api.call('login', {
    body: { wallet_address: address, signature: writeSignature(signature), message },
  });
  forgetPlayer();
  session.signIn(login);
}

/** Ends the session here at once, and at the server as far as it can be reached. */
export async function signOut(): Promise<void> {
  const ended = api.call('logout').catch(() => undefined);
  session.clear();
  await ended;
  const { disconnectAll } = await import('./wallets.ts');
  await disconnectAll();
}

/** Drops whatever belongs to the player who was signed in. */
export function forgetPlayer(): void {
  balances.reset();
  queryClient.removeQueries({ queryKey: [MINE] });
}
