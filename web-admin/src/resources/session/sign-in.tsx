import { loginMessage } from '@reelbook/contract/login';
import { Logo, WalletIcon } from '@reelbook/web/components/icons';
import { useStore } from '@reelbook/web/store';
import { useCommand } from '@reelbook/web/use-command';
import {
  assertOwnPage,
  type BrowserWallet,
  connectAndSign,
  OtherSiteError,
  WalletError,
} from '@reelbook/web/wallets/browser-wallet';
import { listWallets, watchWallets } from '@reelbook/web/wallets/wallets';
import { useEffect, useState } from 'react';
import { Preferences } from '../../app/shell.tsx';
import { api } from '../../lib/api.ts';
import { refusalText } from '../../lib/refusal-text.ts';
import { session } from '../../lib/session-store.ts';
import { linkFault } from './keep-session.ts';

/** Sign-in by a message that the operator's wallet signs. */
export function SignIn() {
  const wallets = useWallets();
  const { busy, error, signIn } = useSignIn();
  const linkError = useStore(linkFault);
  useEffect(() => {
    document.title = "Operators' console · Reelbook";
  }, []);
  return (
    <main className="grid min-h-dvh place-items-center px-4 py-8">
      <div className="w-full max-w-[420px]">
        <p className="mb-6 flex items-center gap-2.5 text-lg">
          <Logo />
          <span className="font-bold tracking-tight">Reelbook</span>
          <span className="text-fg-3">ops</span>
        </p>
        <section className="rounded-lg border border-line bg-ink-1 p-6">
          <h1 className="mb-2 text-xl">Operators' console</h1>
          <p className="mb-5 text-fg-2 text-sm">
            Sign one message with your wallet. It moves no funds and costs nothing.
          </p>
          <ul className="flex flex-col gap-2">
            {wallets.map((wallet) => (
              <li key={wallet.name}>
                <button
                  type="button"
                  disabled={busy !== null}
                  onClick={() => signIn(wallet)}
                  className="flex min-h-12 w-full items-center gap-3 rounded-md border border-line bg-ink-2 px-4 text-left font-medium hover:border-brass disabled:text-fg-3"
                >
                  {wallet.icon ? (
                    <img src={wallet.icon} alt="" width="24" height="24" />
                  ) : (
                    <WalletIcon />
                  )}
                  <span className="flex-1">{wallet.name}</span>
                  {busy === wallet.name && <span className="text-fg-3 text-sm">Waiting…</span>}
                </button>
              </li>
            ))}
          </ul>
          {wallets.length === 0 && (
            <p className="rounded-md border border-line bg-ink-2 px-4 py-3 text-fg-2 text-sm">
              No Solana wallet found in this browser.
            </p>
          )}
          <p className="mt-3 text-fg-2 text-sm">
            On the local chain, a one-time link signs in without a wallet, once and within an hour.{' '}
            <code>npm start</code> prints one for each of its two operators;{' '}
            <code>npm run reelbook -- operator link</code> prints new ones.
          </p>
          <p role="alert" className="mt-3 min-h-5 text-coral text-sm">
            <SignInFault error={error ?? linkError} />
          </p>
          <p className="text-fg-3 text-xs">
            Every sign-in and every denied request is recorded in the ledger.
          </p>
        </section>
        <Preferences />
      </div>
    </main>
  );
}

const WALLET_FAULTS = {
  rejected: 'The wallet rejected the signature request.',
  connectFailed: 'The wallet could not be connected.',
  signFailed: 'The wallet could not sign.',
  noKey: 'The wallet returned no address.',
  notConnected: 'The wallet is not connected.',
};

function SignInFault({ error }: { error: unknown }) {
  if (error instanceof WalletError) return WALLET_FAULTS[error.key];
  if (error instanceof OtherSiteError) return `You cannot sign in here. Open ${error.origin}.`;
  return error !== null && refusalText(error);
}

function useWallets(): readonly BrowserWallet[] {
  const [wallets, setWallets] = useState(listWallets);
  useEffect(() => watchWallets(() => setWallets(listWallets())), []);
  return wallets;
}

function useSignIn() {
  const { input, error, send } = useCommand({
    send: async (wallet: BrowserWallet) => {
      const { origin, sentence } = await api.call('signInSentence');
      assertOwnPage(origin);
      const message = loginMessage(Date.now(), sentence);
      const { address, signature } = await connectAndSign(wallet, message);
      return api.call('signIn', { body: { wallet_address: address, signature, message } });
    },
    same: ({ name }) => name,
    onDone: session.signIn,
  });
  return { busy: input?.name ?? null, error, signIn: send };
}
