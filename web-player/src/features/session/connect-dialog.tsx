import { ApiError } from '@reelbook/contract/client';
import { Dialog } from '@reelbook/web/components/dialog';
import { useStore } from '@reelbook/web/store';
import { toast } from '@reelbook/web/toasts';
import { useCommand } from '@reelbook/web/use-command';
import {
  type BrowserWallet,
  OtherSiteError,
  WalletError,
} from '@reelbook/web/wallets/browser-wallet';
import {
  DEVELOPMENT_WALLET_NAME,
  registerDevelopmentWallet,
} from '@reelbook/web/wallets/development-wallet';
import { isEthereumOnly, listWallets, watchWallets } from '@reelbook/web/wallets/wallets';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { connectDialog } from '../../lib/connect-dialog.ts';
import { health } from '../../lib/queries.ts';
import { refusalText } from '../../lib/refusal-text.ts';
import { clockLag } from '../../lib/server-clock.ts';
import { InstallWallet } from './install-wallet.tsx';
import { signIn } from './sign-in.ts';
import { WalletButton } from './wallet-button.tsx';

/** Lists the wallets to sign in with; without one, what to install. */
export function ConnectDialog() {
  const { t } = useTranslation();
  const wallets = useWallets();
  const { busy, error, connect, stop } = useConnect();
  const [wantsOther, setWantsOther] = useState(false);
  const close = () => {
    stop();
    connectDialog.set(false);
  };
  const own = wallets.filter(({ name }) => name !== DEVELOPMENT_WALLET_NAME);
  const refused = isEthereumOnly(own);
  const list = (
    <ul className="flex flex-col gap-2">
      {wallets.map((wallet) => (
        <li key={wallet.name}>
          <WalletButton wallet={wallet} busy={busy} onPress={() => connect(wallet)} />
        </li>
      ))}
    </ul>
  );
  const lagMinutes = Math.round(Math.abs(useStore(clockLag)) / 60_000);
  const failure = (
    <>
      {lagMinutes > 0 && (
        <p className="mt-3 text-brass text-sm">{t('connectWallet.clock', { count: lagMinutes })}</p>
      )}
      <p className="mt-3 min-h-5 text-coral text-sm" role="alert">
        {error}
      </p>
    </>
  );
  if (wallets.length === 0 || refused || wantsOther) {
    const why = refused ? 'notEthereum' : own.length === 0 ? 'none' : null;
    return (
      <InstallWallet why={why} onClose={close}>
        {wallets.length > 0 && (
          <>
            <p className="mt-5 mb-2 text-fg-2 text-sm">{t('install.instead')}</p>
            {list}
            {failure}
          </>
        )}
      </InstallWallet>
    );
  }
  return (
    <Dialog title={t('connectWallet.title')} onClose={close}>
      <p className="mb-4 text-fg-2 text-sm">{t('connectWallet.why')}</p>
      {list}
      {failure}
      <button
        type="button"
        className="min-h-11 font-medium text-brass text-sm hover:underline"
        onClick={() => setWantsOther(true)}
      >
        {t('connectWallet.other')}
      </button>
    </Dialog>
  );
}

/** The current wallets; the development wallet is added on a local chain. */
function useWallets(): readonly BrowserWallet[] {
  const { data } = useQuery(health);
  const [wallets, setWallets] = useState(listWallets);
  useEffect(() => watchWallets(() => setWallets(listWallets())), []);
  useEffect(() => {
    if (data?.local_chain === true) registerDevelopmentWallet();
  }, [data?.local_chain]);
  return wallets;
}

function useConnect() {
  const { t } = useTranslation();
  const asking = useRef<AbortController | null>(null);
  const { input, error, send } = useCommand({
    send: (wallet: BrowserWallet) => {
      asking.current = new AbortController();
      return signIn(wallet, asking.current.signal);
    },
    same: ({ name }) => name,
    onDone: () => {
      connectDialog.set(false);
      toast(t('connectWallet.done'), 'good');
    },
  });
  return {
    busy: input?.name ?? null,
    error: error === null ? '' : textOf(error),
    connect: send,
    stop: () => asking.current?.abort(),
  };

  function textOf(failed: unknown): string {
    if (failed instanceof WalletError) return t(`connecting.${failed.key}`);
    if (failed instanceof OtherSiteError)
      return t('connectWallet.otherSite', { origin: failed.origin });
    if (!(failed instanceof ApiError)) return t('connecting.failed');
    if (failed.code === 0) return t('common.unreachable');
    return t('connectWallet.refused', { why: refusalText(failed) });
  }
}
