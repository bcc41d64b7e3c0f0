import { ApiError } from '@reelbook/contract/client';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../components/badge.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { connectDialog } from '../../lib/connect-dialog.ts';
import { health } from '../../lib/queries.ts';
import { toast } from '../../lib/toasts.ts';
import { DEVELOPMENT_WALLET_NAME, registerDevelopmentWallet } from './development-wallet.ts';
import { signIn } from './sign-in.ts';
import { listWallets, type SigningWallet, WalletError, watchWallets } from './wallets.ts';

/** Which wallet to sign in with; says plainly what to do when there is none. */
export function ConnectDialog() {
  const { t } = useTranslation();
  const wallets = useWallets();
  const { busy, error, connect } = useConnect();
  const close = () => connectDialog.set(false);
  return (
    <Dialog title={t('connect.title')} onClose={close}>
      <p className="mb-4 text-fg-2 text-sm">{t('connect.why')}</p>
      {wallets.length === 0 && <NoWallet />}
      <ul className="flex flex-col gap-2">
        {wallets.map((wallet) => (
          <li key={wallet.name}>
            <WalletButton wallet={wallet} busy={busy} onPress={() => connect(wallet)} />
          </li>
        ))}
      </ul>
      <p className="mt-3 min-h-5 text-coral text-sm" role="alert">
        {error}
      </p>
    </Dialog>
  );
}

function WalletButton({
  wallet,
  busy,
  onPress,
}: {
  wallet: SigningWallet;
  /** The wallet that is being asked, if any. */
  busy: string | null;
  onPress(): void;
}) {
  const { t } = useTranslation();
  const isDevelopment = wallet.name === DEVELOPMENT_WALLET_NAME;
  return (
    <button
      type="button"
      disabled={busy !== null}
      onClick={onPress}
      className="flex min-h-14 w-full items-center gap-3 rounded-md border border-line bg-ink-2 px-4 py-3 text-left transition-colors duration-150 hover:border-brass disabled:opacity-60"
    >
      <img src={wallet.icon} alt="" width="32" height="32" className="rounded-sm" />
      <span className="flex-1">
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1 font-medium">
          {isDevelopment ? t('connect.development') : wallet.name}
          {isDevelopment && <Badge tone="brass">{t('connect.localOnly')}</Badge>}
        </span>
        {isDevelopment && (
          <span className="mt-1 block text-fg-3 text-xs">{t('connect.developmentHint')}</span>
        )}
      </span>
      {busy === wallet.name && <span className="text-fg-2 text-sm">{t('connect.waiting')}</span>}
    </button>
  );
}

function NoWallet() {
  const { t } = useTranslation();
  return (
    <div className="mb-3 rounded-md border border-line bg-ink-2 px-4 py-3 text-sm">
      <p className="font-medium">{t('connect.none')}</p>
      <p className="mt-1 text-fg-2">{t('connect.noneWayOut')}</p>
    </div>
  );
}

/** The wallets now; the development wallet joins them where the chain is a local one. */
function useWallets(): readonly SigningWallet[] {
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
  const [busy, setBusy] = useState<string | null>(null);
  const [error, setError] = useState('');
  async function connect(wallet: SigningWallet): Promise<void> {
    setBusy(wallet.name);
    setError('');
    try {
      await signIn(wallet);
      connectDialog.set(false);
      toast(t('connect.done'), 'good');
    } catch (caught) {
      if (caught instanceof WalletError) setError(t(`wallet.${caught.key}`));
      else if (caught instanceof ApiError && caught.code === 0) setError(t('common.unreachable'));
      else if (caught instanceof ApiError) setError(t('connect.refused', { why: caught.message }));
      else setError(t('wallet.failed'));
      setBusy(null);
    }
  }
  return { busy, error, connect: (wallet: SigningWallet) => void connect(wallet) };
}
